#!/bin/sh
# Tries again after 429, 5xx, timeouts and refused connections: after Retry-After, else after 1, 2, 4 and 8 seconds.
curl --silent --show-error --fail --retry 4 --retry-connrefused --max-time 10 \
  -H "X-API-Key: ${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}" \
  "${BASE_URL:-http://127.0.0.1:3000}/v1/meta/sources"
