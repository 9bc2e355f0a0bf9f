#!/bin/sh
# Alerts of a port in the 30 days up to `until`, newest first, and how many of these days have figures: no alert is not
# the same as no data.
set -eu
url="${BASE_URL:-http://127.0.0.1:3000}/v1/ports/TWKHH"
key="X-API-Key: ${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}"

curl --silent --show-error --fail-with-body -H "$key" "$url/alerts?window=30d&until=2025-10-04"
days=$(curl --silent --show-error --fail-with-body -H "$key" "$url/trend?window=30d&until=2025-10-04&format=csv")
printf '\n%d days with figures\n' "$(echo "$days" | tail -n +2 | wc -l)"
