#!/usr/bin/env bash
# Schemathesis, which makes requests from docs/openapi.json by itself, against the running service: no failure.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools schemathesis schemathesis==4.32.5
start_service
export PYTHONDONTWRITEBYTECODE=1
(cd "$service_home" && "$tools/bin/schemathesis" --config-file "$OLDPWD/.ci/schemathesis.toml" run "$OLDPWD/docs/openapi.json" --url "$service_url" \
  --header "X-API-Key: $bench_key" --workers 2 --max-examples "${MAX_EXAMPLES:-100}" --no-color)
