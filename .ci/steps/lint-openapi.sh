#!/usr/bin/env bash
# Lints docs/openapi.json with Redocly's recommended rules and Spectral's OpenAPI and OWASP rules.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/node-tools.sh
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$node_tools/redocly" lint docs/openapi.json --config .ci/tools/redocly.yaml
"$node_tools/spectral" lint docs/openapi.json --ruleset .ci/tools/.spectral.yaml --fail-severity warn
