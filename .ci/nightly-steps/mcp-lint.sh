#!/usr/bin/env bash
# The definitions of the MCP tools by tdqs, the linter of the Tool Definition Quality Score: no error, no warning, no note.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools tdqs tdqs==0.1.0
start_service
"$tools/bin/tdqs" lint --url "$service_url/mcp" | tee "$service_home/lint"
grep -q '^0 errors, 0 warnings, 0 notes$' "$service_home/lint"
