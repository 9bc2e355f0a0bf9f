#!/usr/bin/env bash
# The smoke test of a deployed stage, against the service on this machine by its address alone.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/local-service.sh
start_service
keys=()
for name in demo lite starter pro disabled unplanned; do
  keys+=("--$name" "$(node -p "require('./local/demo-keys.json').$name")")
done
npm run --silent smoke -- --url "$service_url" "${keys[@]}"
