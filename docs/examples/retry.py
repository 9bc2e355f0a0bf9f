"""Tries again after 429, 5xx and broken connections: after Retry-After, else after 1, 2, 4 and 8 seconds."""
import json
import os
import random
import time
import urllib.error
import urllib.request

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")


def get(path):
    request = urllib.request.Request(base_url + path, headers={"X-API-Key": key})
    for backoff in (1, 2, 4, 8, None):
        wait = backoff and backoff * random.uniform(0.8, 1.2)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                raise SystemExit(json.load(error)["hint"])
            retry_after = int(error.headers.get("Retry-After") or 0)
            if wait is None or retry_after > 60:
                raise
            time.sleep(retry_after or wait)
        except (urllib.error.URLError, TimeoutError):
            if wait is None:
                raise
            time.sleep(wait)


for row in get("/v1/meta/sources"):
    print(row["source"])
