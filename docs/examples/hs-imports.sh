#!/bin/sh
# Import momentum of electrical machinery (HS chapter 85), month by month, as CSV.
curl --silent --show-error --fail-with-body \
  -H "X-API-Key: ${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}" \
  "${BASE_URL:-http://127.0.0.1:3000}/v1/hs/85/imports?format=csv"
