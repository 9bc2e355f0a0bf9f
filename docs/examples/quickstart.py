"""The state of a port now."""
import json
import os
import urllib.request

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")

request = urllib.request.Request(f"{base_url}/v1/ports/TWKHH/snapshot", headers={"X-API-Key": key})
with urllib.request.urlopen(request, timeout=10) as response:
    snapshot = json.load(response)

print(f"{snapshot['port']} at {snapshot['as_of']}")
print(f"score {snapshot['congestion_score']}, mean wait {snapshot['avg_wait_hours']} h")
print(f"{snapshot['vessels']['at_anchor']} of {snapshot['vessels']['in_port']} vessels at anchor")
