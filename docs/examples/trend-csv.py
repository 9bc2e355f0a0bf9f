"""A week of a port as CSV, then the same request with its ETag: nothing has changed, so no body is sent again."""
import csv
import io
import os
import urllib.error
import urllib.request

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")
url = f"{base_url}/v1/ports/TWKHH/trend?window=7d&until=2025-10-04&format=csv"

request = urllib.request.Request(url, headers={"X-API-Key": key})
with urllib.request.urlopen(request, timeout=10) as response:
    etag = response.headers["ETag"]
    for row in csv.DictReader(io.TextIOWrapper(response, "ascii")):
        print(row["date"], row["congestion_score"], row["avg_wait_hours"], row["vessels"])

request = urllib.request.Request(url, headers={"X-API-Key": key, "If-None-Match": etag})
try:
    urllib.request.urlopen(request, timeout=10)
except urllib.error.HTTPError as not_modified:
    # urllib takes every status but 2xx for an error, this one too.
    print(not_modified.code, len(not_modified.read()), "bytes")
