#!/bin/sh
# The ten ports with the longest median wait of a month, in DuckDB. DATA is the address or the folder of the dataset;
# an address is read in place, by ranges. Waits of vessels that did not wait are zeros of the median.
set -eu
data=${DATA:-http://127.0.0.1:3000/data}
release=${RELEASE:-$(curl --silent --fail "${BASE_URL:-http://127.0.0.1:3000}/data/latest.json" | cut -d '"' -f 4)}
month=${MONTH:-2025-09}
duckdb -csv -c "
  WITH calls AS (
    SELECT port, unnest(waits || list_transform(range(berthed - waited), lambda zero: 0.0)) AS hours
    FROM read_parquet('$data/release=$release/table=waits/year=$(echo "$month" | cut -c 1-4)/part-0.parquet')
    WHERE class = 'all' AND date >= DATE '$month-01' AND date < DATE '$month-01' + INTERVAL 1 MONTH)
  SELECT port, count(*) AS berthings, round(median(hours), 2) AS median_hours
  FROM calls GROUP BY port HAVING count(*) >= 10 ORDER BY median_hours DESC, port LIMIT 10"
