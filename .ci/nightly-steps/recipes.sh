#!/usr/bin/env bash
# Every recipe of the docs prints the recorded output (RECORD_EXAMPLES=1 rewrites it) on a first start: pandas, Polars and DuckDB from PyPI;
# R where it is installed, or where CI runs as root of a Debian, whose package is 29 MB. test/unit/portal/site/recipes.test.ts checks
# the text of those that need a program with a window.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools recipes pandas==3.0.6 duckdb-cli==1.4.4 duckdb-ext-httpfs==1.4.4.20260205 matplotlib==3.11.2 pyarrow==26.0.1 polars==2.1.0
start_service --recorded
export BASE_URL=$service_url PCD_API_KEY=$bench_key PYTHONDONTWRITEBYTECODE=1 DATA=$service_url/data
examples=$PWD/docs/examples
run() { (cd "$service_home" && PATH="$tools/bin:$PATH" "$@") }
failed=0
# DuckDB reads addresses with an extension, which it would download.
chmod +x "$tools/bin/duckdb"
export HOME=$service_home
run duckdb -c "INSTALL '$(ls "$tools"/lib/python*/site-packages/duckdb_ext/extensions/*/*/httpfs.duckdb_extension)'"
# shows FILE COMMAND...: the command prints what is recorded for the example.
shows() {
  local shown=$examples/output/$1.txt printed
  shift
  printed=$(run "$@" | tr -d '\r')
  if [ "${RECORD_EXAMPLES:-}" = 1 ]; then
    mkdir -p "$(dirname "$shown")"
    echo "$printed" >"$shown"
  fi
  diff "$shown" - <<<"$printed" || failed=1
}

for file in recipes/pandas_trend.py recipes/forecast.py recipes/waits_year.py dataset/pandas_waits.py dataset/polars_trend.py; do
  shows "$file" python "$examples/$file"
done
[ "$(head -c 4 "$service_home/waits.png" | tail -c 3)" = PNG ]
for file in recipes/duckdb_trend.sh dataset/worst_ports.sh dataset/waits_csv.sh; do
  shows "$file" sh "$examples/$file"
done

if ! command -v Rscript >/dev/null && [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get -qq update && apt-get -qq install --yes --no-install-recommends r-base-core; } >"$service_home/apt" 2>&1 ||
    tail -n 3 "$service_home/apt"
fi
if command -v Rscript >/dev/null; then
  # The same figures as those of pandas.
  shows recipes/pandas_trend.py Rscript "$examples/recipes/trend.R"
else
  echo 'R: left out, Rscript is not installed'
fi
if command -v Rscript >/dev/null && Rscript -e 'quit(status = !requireNamespace("arrow", quietly = TRUE))' 2>/dev/null; then
  run Rscript "$examples/dataset/trend.R"
else
  echo 'R over the dataset: left out, the package arrow is not installed'
fi

# The vintages of a service begin with it, so the backtest has a dataset of its own.
known=$(node --import tsx test/builders/vintage-dataset.ts "$service_home/known")
backtest=$(DATA=$service_home/known RELEASE=$known YEAR=${known%%-*} run sh "$examples/dataset/backtest.sh" | tr -d '\r')
echo "$backtest"
[ "$(head -n 1 <<<"$backtest")" = figures,decisions,not_shared,hours_taken,hours_avoided ]
[ "$(grep -Ec '^known (then|now),[1-9]' <<<"$backtest")" -eq 2 ]
exit "$failed"
