"""Import momentum of electrical machinery (HS chapter 85): 100 is the same three months a year before."""
import json
import os
import urllib.request

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")

request = urllib.request.Request(f"{base_url}/v1/hs/85/imports", headers={"X-API-Key": key})
with urllib.request.urlopen(request, timeout=10) as response:
    for point in json.load(response):
        print(point["month"], point["index"])
