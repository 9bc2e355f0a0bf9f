#!/usr/bin/env bash
# The packages as they would be published: publint and Are The Types Wrong on the client, a tool called through the installed
# MCP server, and twine on the Python package. Publishing itself stays refused.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/node-tools.sh
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools build build==1.3.0 twine==6.2.0 setuptools==80.9.0 wheel==0.45.1
start_service

for package in client mcp; do npm pack "./packages/$package" --pack-destination "$service_home" --silent >/dev/null; done
client=$(echo "$service_home"/port-congestion-client-*.tgz)
mcp=$(echo "$service_home"/port-congestion-mcp-*.tgz)
"$node_tools/publint" "$client" --strict
"$node_tools/publint" "$mcp" --strict
"$node_tools/attw" "$client" --profile esm-only
for package in client mcp; do
  [ "$(node -p "require('./packages/$package/package.json').private")" = true ] || {
    echo "npm would publish packages/$package, and LICENSE grants nothing: docs/publish.md"
    exit 1
  }
done

cp -r packages/python "$service_home/python"
"$tools/bin/python" -m build --no-isolation --outdir "$service_home/wheel" "$service_home/python" >/dev/null
"$tools/bin/twine" check --strict "$service_home"/wheel/*
"$tools/bin/python" -m zipfile --extract "$service_home"/wheel/*.whl "$service_home/unpacked"
grep -q '^Classifier: Private :: Do Not Upload$' "$service_home"/unpacked/*/METADATA

retried npm install --prefix "$service_home/installed" --no-audit --no-fund --loglevel=error "$client" "$mcp" || {
  echo 'left out: the dependencies of the packages cannot be installed from the npm registry here'
  exit 77
}
export PCD_BASE_URL=$service_url PCD_API_KEY=$bench_key
response=$(node .ci/mcp-call.mjs "$service_home/installed/node_modules/.bin/port-congestion-mcp" port_snapshot '{"unlocode":"USLAX"}')
grep -q '"sample_data":true.*"rows":\[\["USLAX"' <<<"$response"
(cd "$service_home/installed" && node --input-type=module --eval "
import { createClient } from 'port-congestion-client';
const client = createClient({ baseUrl: process.env.PCD_BASE_URL, apiKey: process.env.PCD_API_KEY });
const { data } = await client.GET('/v1/ports/{UNLOCODE}/snapshot', { params: { path: { UNLOCODE: 'USLAX' } } });
console.log(data.port, data.congestion_score);")
