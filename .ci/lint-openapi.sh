#!/bin/sh
# Lints docs/openapi.json with Redocly's recommended rules and Spectral's OpenAPI and OWASP rules.
# The linters are large, so they live in a folder of their own and are installed when they are missing.
set -eu
cd "$(dirname "$0")/.."
tools=.ci/tools
if [ ! -e "$tools/node_modules/.package-lock.json" ] ||
  [ "$tools/package-lock.json" -nt "$tools/node_modules/.package-lock.json" ]; then
  npm --prefix "$tools" ci --ignore-scripts --no-audit --no-fund --loglevel=error || {
    echo 'left out: the linters cannot be installed from the npm registry here'
    exit 77
  }
fi
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$tools/node_modules/.bin/redocly" lint docs/openapi.json --config redocly.yaml
"$tools/node_modules/.bin/spectral" lint docs/openapi.json --ruleset .spectral.yaml --fail-severity warn
