#!/bin/sh
# Alerts of a port in the last 30 days, newest first. USLAX is a port of the sample data.
curl --silent --show-error --fail-with-body \
  -H "X-API-Key: ${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}" \
  "${BASE_URL:-http://127.0.0.1:3000}/v1/ports/USLAX/alerts"
