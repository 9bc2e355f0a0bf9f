#!/usr/bin/env bash
# Clients that three generators make from the OpenAPI documents of the running service each read JSON, CSV and an error of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/node-tools.sh
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools openapi-python-client openapi-python-client==0.29.1

start_service
folder=$(mktemp -d .ci/tools/clients-XXXXXX)
trap 'kill "$service_pid" 2>/dev/null; wait "$service_pid" 2>/dev/null || true; rm -rf "$service_home" "$folder"' EXIT
cp .ci/generated-clients/* "$folder"
mkdir "$folder/generated"
for document in openapi openapi-json openapi-csv; do
  curl --silent --fail --output "$folder/$document.json" "$service_url/$document.json"
done
"$node_tools/openapi-typescript" "$folder/openapi-json.json" --output "$folder/generated/openapi-typescript-json.d.ts"
"$node_tools/openapi-typescript" "$folder/openapi-csv.json" --output "$folder/generated/openapi-typescript-csv.d.ts"
"$node_tools/openapi-ts" --input "./$folder/openapi.json" --output "$folder/generated/hey-api" --client @hey-api/client-fetch --silent
printf 'post_hooks: []\n' >"$folder/python.yaml"
for form in json csv; do
  "$tools/bin/openapi-python-client" generate --path "$folder/openapi-$form.json" --output-path "$folder/generated_$form" \
    --meta none --config "$folder/python.yaml" --fail-on-warning
done
printf '%s' '{"compilerOptions":{"strict":true,"noEmit":true,"target":"ES2022","module":"ESNext","moduleResolution":"Bundler","skipLibCheck":true,"types":["node"],"typeRoots":["../../../node_modules/@types"]}}' \
  >"$folder/tsconfig.json"
"$node_tools/tsc" -p "$folder"

for program in openapi-typescript hey-api; do
  node --import tsx "$folder/$program.ts" "$service_url" "$bench_key"
done
PYTHONDONTWRITEBYTECODE=1 "$tools/bin/python" "$folder/openapi_python_client.py" "$service_url" "$bench_key"
