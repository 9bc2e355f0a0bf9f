#!/usr/bin/env bash
# The recipes of the docs against the service with its sample, and with its recordings, which have few days: pandas
# and DuckDB from PyPI; R where it is installed, or where CI runs as root of a Debian, whose package is 29 MB. Excel's query
# needs Excel: test/unit/portal/site/recipes.test.ts checks its text.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/python-tools.sh
. .ci/local-service.sh
python_tools recipes pandas==3.0.6 duckdb-cli==1.5.6 matplotlib==3.11.2 pyarrow==26.0.1 polars==2.1.0
start_service
export BASE_URL=$service_url PCD_API_KEY=$bench_key PYTHONDONTWRITEBYTECODE=1
recipes=$PWD/docs/examples/recipes
run() { (cd "$service_home" && PATH="$tools/bin:$PATH" "$@") }

pandas=$(run python "$recipes/pandas_trend.py")
echo "$pandas"
grep -Eq '^[1-9][0-9]* days, mean wait [0-9.]+ h$' <<<"$pandas"
year=$(PORTS='HKHKG USLAX SGSIN' run python "$recipes/waits_year.py")
echo "$year"
[ "$(grep -Ec '^(HKHKG|USLAX|SGSIN): [1-9][0-9]* days, [1-9][0-9]* berthings$' <<<"$year")" -eq 3 ]
grep -q 'port  *congestion_score  *avg_wait_hours  *as_of' <<<"$year"
[ "$(head -c 4 "$service_home/waits.png" | tail -c 3)" = PNG ]
duckdb=$(run sh "$recipes/duckdb_trend.sh")
echo "$duckdb"
[ "$(head -n 1 <<<"$duckdb" | tr -d '\r')" = week,days,wait_hours ] && [ "$(wc -l <<<"$duckdb")" -gt 2 ]
if ! command -v Rscript >/dev/null && [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get -qq update && apt-get -qq install --yes --no-install-recommends r-base-core; } >"$service_home/apt" 2>&1 ||
    tail -n 3 "$service_home/apt"
fi
if command -v Rscript >/dev/null; then
  r=$(run Rscript "$recipes/trend.R")
  echo "$r"
  [ "$(head -n 1 <<<"$r")" = "$(head -n 1 <<<"$pandas")" ]
else
  echo 'R: left out, Rscript is not installed'
fi
# The dataset: a release of this service, which it serves while DuckDB reads its folder.
npm run --silent release -- --data-dir "$service_home/data" --out "$service_home/data/releases" --address "$service_url/data/"
dataset=$PWD/docs/examples/dataset
month=$(date -u -d yesterday +%Y-%m 2>/dev/null || date -u +%Y-%m)
worst=$(DATA=$service_home/data/releases MONTH=$month run sh "$dataset/worst_ports.sh")
echo "$worst"
[ "$(head -n 1 <<<"$worst" | tr -d '\r')" = port,berthings,median_hours ] && [ "$(wc -l <<<"$worst")" -gt 1 ]
csv=$(DATA=$service_home/data/releases YEAR=${month%-*} run sh "$dataset/waits_csv.sh")
echo "$csv"
[ "$(wc -l <<<"$csv")" -eq 3 ]
# The vintages of a service begin with it, so the backtest has a dataset of its own.
known=$(node --import tsx test/builders/vintage-dataset.ts "$service_home/known")
backtest=$(DATA=$service_home/known RELEASE=$known run sh "$dataset/backtest.sh" | tr -d '\r')
echo "$backtest"
[ "$(head -n 1 <<<"$backtest")" = figures,decisions,not_shared,hours_taken,hours_avoided ]
[ "$(grep -Ec '^known (then|now),[1-9]' <<<"$backtest")" -eq 2 ]
run python "$dataset/pandas_waits.py" | tee "$service_home/waits" && grep -Eq '^release .* days of [1-9]' "$service_home/waits"
run python "$dataset/polars_trend.py" | tee "$service_home/trend" && grep -q USLAX "$service_home/trend"
if command -v Rscript >/dev/null && Rscript -e 'quit(status = !requireNamespace("arrow", quietly = TRUE))' 2>/dev/null; then
  run Rscript "$dataset/trend.R"
else
  echo 'R over the dataset: left out, the package arrow is not installed'
fi
kill "$service_pid"
wait "$service_pid" || true
rm -rf "$service_home"
start_service --recorded
export BASE_URL=$service_url
for recipe in pandas_trend waits_year; do
  few=$(run python "$recipes/$recipe.py" 2>&1) || true
  echo "$few"
  [ -n "$few" ] && ! grep -q Traceback <<<"$few"
done
run sh "$recipes/duckdb_trend.sh"
echo 'Excel: not run, Power Query runs in Excel only'
