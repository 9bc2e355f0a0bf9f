#!/usr/bin/env bash
# The Python package as it is installed: its types, and its frames against the API of a service whose figures changed from day to day. The
# releases of that service and of the recordings as Data Packages; its dataset in Polars and pandas, its feed in feedparser.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/python-tools.sh
python_tools python-package pandas==3.1.1 pyarrow==26.0.1 matplotlib==3.11.2 mypy==2.4.1 pandas-stubs==3.1.0.261029 setuptools==80.9.0 'frictionless[parquet]==5.21.0' polars==2.1.0 feedparser==6.0.14
folder=$(mktemp -d)
cp -r packages/python "$folder/package"
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall "$folder/package"
(cd packages/python && "$tools/bin/mypy" --cache-dir "$folder/mypy" port_congestion)

node --no-warnings --import tsx test/builders/past-service.ts "$folder/releases" >"$folder/log" 2>&1 &
service_pid=$!
trap 'kill "$service_pid" 2>/dev/null; wait "$service_pid" 2>/dev/null || true; rm -rf "$folder"' EXIT
until grep -q ^ready "$folder/log"; do
  kill -0 "$service_pid" 2>/dev/null || { cat "$folder/log"; exit 1; }
  sleep 0.5
done
read -r _ BASE_URL PCD_API_KEY < <(grep ^ready "$folder/log")
export BASE_URL PCD_API_KEY PYTHONDONTWRITEBYTECODE=1
for described in "$folder"/releases/release=*/datapackage.json recordings/release/release=*/datapackage.json; do
  # It reads every row of every file by the types that the description states.
  (cd "$(dirname "$described")" && "$tools/bin/frictionless" validate datapackage.json >"$folder/report") || { cat "$folder/report"; exit 1; }
  echo "$(basename "$(dirname "$described")"): a valid Data Package"
done
"$tools/bin/python" .ci/read-dataset.py "$BASE_URL/data/"
"$tools/bin/python" .ci/read-feed.py "$BASE_URL" "$PCD_API_KEY"
for test in packages/python/tests/test_*.py; do "$tools/bin/python" "$test"; done
