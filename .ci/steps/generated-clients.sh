#!/usr/bin/env bash
# Clients that generators make from the OpenAPI documents of the running service each read dates, numbers and an error of it,
# and where the document has it CSV.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/node-tools.sh
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools openapi-python-client openapi-python-client==0.29.1

start_service
folder=$(mktemp -d .ci/tools/clients-XXXXXX)
trap 'kill "$service_pid" 2>/dev/null; wait "$service_pid" 2>/dev/null || true; rm -rf "$service_home" "$folder"' EXIT
cp .ci/generated-clients/*.* "$folder"
mkdir "$folder/generated"
for document in openapi openapi-json openapi-csv openapi-3.0; do
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

# openapi-generator: the versions between which its Python client changed how it reads dates.
for program in java mvn; do
  command -v "$program" >/dev/null || { echo "openapi-generator is left out: $program is not installed"; exit 0; }
done
python_tools openapi-generator pydantic==2.14.4 urllib3==2.8.0 python-dateutil==4.0.0 typing-extensions==4.16.0 lazy-imports==1.2.0
for version in 7.20.0 7.25.0; do
  jar=$PWD/dist/ci-tools/openapi-generator-cli-$version.jar
  [ -e "$jar" ] || retried mvn --quiet --batch-mode dependency:copy -DoutputDirectory="$PWD/dist/ci-tools" \
    -Dartifact="org.openapitools:openapi-generator-cli:$version" || {
    echo 'openapi-generator is left out: it cannot be downloaded from Maven here'
    exit 0
  }
  for document in openapi openapi-3.0; do
    client=$folder/openapi-generator-$version-$document
    java -jar "$jar" generate --input-spec "$folder/$document.json" --generator-name python --output "$client" \
      --additional-properties packageName=pcd_client >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
    PYTHONDONTWRITEBYTECODE=1 "$tools/bin/python" "$folder/openapi_generator.py" "$client" "$service_url" "$bench_key"
  done
done
