#!/usr/bin/env bash
# On a first start the served Postman collection, and one that openapi-to-postmanv2 makes from the plain OpenAPI document with
# and without optional parameters, get a 200 for each request.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/retried.sh
. .ci/local-service.sh
tools=$PWD/dist/ci-tools/postman
[ -e "$tools/node_modules" ] || retried npm install --prefix "$tools" --no-audit --no-fund --ignore-scripts --silent \
  openapi-to-postmanv2@6.3.3 newman@6.2.2 || {
  echo 'left out: newman and openapi-to-postmanv2 cannot be installed from the npm registry here'
  exit 77
}
start_service --port 0
cp .ci/run-postman.cjs "$tools"
node "$tools/run-postman.cjs" "$service_url" "$bench_key"
