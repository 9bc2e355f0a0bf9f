#!/usr/bin/env bash
# The MCP server as it would be published: publint on the package, and a tool called through it from an empty folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/node-tools.sh
. .ci/local-service.sh
start_service
npm run --silent build -- mcp
npm pack ./packages/mcp --pack-destination "$service_home" --silent
"$node_tools/publint" "$service_home"/port-congestion-mcp-*.tgz --strict
retried npm install --prefix "$service_home/installed" --no-audit --no-fund --loglevel=error "$service_home"/port-congestion-mcp-*.tgz || {
  echo 'left out: the dependencies of the package cannot be installed from the npm registry here'
  exit 77
}
export PCD_BASE_URL=$service_url PCD_API_KEY=$bench_key
response=$(node .ci/mcp-call.mjs "$service_home/installed/node_modules/.bin/port-congestion-mcp" port_snapshot '{"unlocode":"USLAX"}')
echo "$response"
grep -q '"sample_data":true.*"rows":\[\["USLAX"' <<<"$response"
