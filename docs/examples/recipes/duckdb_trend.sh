#!/bin/sh
# The trend of a port in DuckDB: days and mean wait by week.
set -eu
curl --silent --show-error --fail-with-body --output trend.csv \
  -H "X-API-Key: ${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}" \
  "${BASE_URL:-http://127.0.0.1:3000}/v1/ports/TWKHH/trend?window=30d&format=csv"
duckdb -csv -c "
  SELECT date_trunc('week', date::DATE)::DATE AS week, count(*) AS days, round(avg(avg_wait_hours::DOUBLE), 1) AS wait_hours
  FROM 'trend.csv' GROUP BY week ORDER BY week"
