#!/bin/sh
# The state of a port now.
curl --silent --show-error --fail-with-body \
  -H "X-API-Key: ${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}" \
  "${BASE_URL:-http://127.0.0.1:3000}/v1/ports/TWKHH/snapshot"
