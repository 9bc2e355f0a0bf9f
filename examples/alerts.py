"""Alerts of a port in the last 30 days, newest first. USLAX is a port of the sample data."""
import json
import os
import urllib.request

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")

request = urllib.request.Request(
    f"{base_url}/v1/ports/USLAX/alerts?window=30d", headers={"X-API-Key": key}
)
with urllib.request.urlopen(request, timeout=10) as response:
    for alert in json.load(response):
        print(f"{alert['as_of']} {alert['severity']}: {alert['explain']}")
