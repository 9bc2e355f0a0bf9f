#!/bin/sh
# The trend of a port in DuckDB, which reads the API itself: days and mean wait by week. The key goes to this address alone.
set -eu
address=${BASE_URL:-http://127.0.0.1:3000}
duckdb -csv -c "
  CREATE SECRET (TYPE http, SCOPE '$address', EXTRA_HTTP_HEADERS MAP {
    'X-API-Key': '${PCD_API_KEY:-pcd_dev_demo000000000000000000000000000000}'});
  SELECT date_trunc('week', date)::DATE AS week, count(*) AS days, round(avg(avg_wait_hours), 1) AS wait_hours
  FROM read_csv('$address/v1/ports/TWKHH/trend?window=30d&until=2025-10-04&format=csv') GROUP BY week ORDER BY week"
