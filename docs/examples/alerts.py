"""Alerts of a port in the 30 days up to `until`, newest first, and how many of these days have figures: no alert is not
the same as no data."""
import json
import os
import urllib.request

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")


def read(name):
    url = f"{base_url}/v1/ports/TWKHH/{name}?window=30d&until=2025-10-04"
    request = urllib.request.Request(url, headers={"X-API-Key": key})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


alerts, days = read("alerts"), read("trend")
for alert in alerts:
    print(f"{alert['as_of']} {alert['severity']}: {alert['explain']}")
print(f"{len(alerts)} alerts, {len(days)} days with figures")
