#!/bin/sh
# A week of a port as CSV, then the same request with its ETag: nothing has changed, so no body is sent again.
set -eu
url="${BASE_URL:-http://127.0.0.1:3000}/v1/ports/TWKHH/trend?window=7d&until=2025-10-04&format=csv"
key="X-API-Key: ${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

curl --silent --show-error --fail-with-body -H "$key" --etag-save "$folder/etag" "$url"
curl --silent --show-error --fail-with-body -H "$key" --etag-compare "$folder/etag" \
  --output "$folder/body" --write-out '%{http_code}, %{size_download} bytes\n' "$url"
