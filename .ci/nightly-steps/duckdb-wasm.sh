#!/usr/bin/env bash
# A page in Chromium, at another origin than the service, counts the rows of every file of the dataset with DuckDB-Wasm.
# By night, because the package has 87 MB. Later versions than this one load their Parquet reader from a host on the internet.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/retried.sh
duckdb=1.28.0
chromium=$(command -v chromium || command -v google-chrome) || {
  echo 'left out: chromium is not installed'
  exit 77
}
tools=$PWD/dist/ci-tools/duckdb-wasm-$duckdb
if [ ! -e "$tools/complete" ]; then
  retried npm install --prefix "$tools" --no-audit --no-fund --ignore-scripts --silent "@duckdb/duckdb-wasm@$duckdb" || {
    echo 'left out: DuckDB-Wasm cannot be installed from the npm registry here'
    exit 77
  }
  touch "$tools/complete"
fi
. .ci/local-service.sh
start_service --recorded
node .ci/duckdb-wasm.mjs "$service_url" "$tools" "$chromium"
