#!/usr/bin/env bash
# Clients generated from docs/openapi.json by three generators each read JSON, CSV and an error of the running service.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/node-tools.sh
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools openapi-python-client openapi-python-client==0.29.1

folder=$(mktemp -d .ci/tools/clients-XXXXXX)
trap 'rm -rf "$folder"' EXIT
cp .ci/generated-clients/* "$folder"
mkdir "$folder/generated"
"$node_tools/openapi-typescript" docs/openapi.json --output "$folder/generated/openapi-typescript.d.ts"
"$node_tools/openapi-ts" --input ./docs/openapi.json --output "$folder/generated/hey-api" --client @hey-api/client-fetch --silent
printf 'post_hooks: []\n' >"$folder/python.yaml"
"$tools/bin/openapi-python-client" generate --path docs/openapi.json --output-path "$folder/generated_client" \
  --meta none --config "$folder/python.yaml" --fail-on-warning
printf '%s' '{"compilerOptions":{"strict":true,"noEmit":true,"target":"ES2022","module":"ESNext","moduleResolution":"Bundler","skipLibCheck":true,"types":["node"],"typeRoots":["../../../node_modules/@types"]}}' \
  >"$folder/tsconfig.json"
"$node_tools/tsc" -p "$folder"

start_service
trap 'kill "$service_pid" 2>/dev/null; wait "$service_pid" 2>/dev/null || true; rm -rf "$service_home" "$folder"' EXIT
for program in openapi-typescript hey-api; do
  node --import tsx "$folder/$program.ts" "$service_url" "$bench_key"
done
PYTHONDONTWRITEBYTECODE=1 "$tools/bin/python" "$folder/openapi_python_client.py" "$service_url" "$bench_key"
