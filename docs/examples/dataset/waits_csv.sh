#!/bin/sh
# A CSV file of a year of daily waits for Excel, which reads no Parquet, by DuckDB. UTF-8 with a header, dates as YYYY-MM-DD.
set -eu
data=${DATA:-http://127.0.0.1:3000/data}
release=${RELEASE:-$(curl --silent --fail "${BASE_URL:-http://127.0.0.1:3000}/data/latest.json" | cut -d '"' -f 4)}
duckdb -c "
  COPY (SELECT port, date, berthed, waited, mean_hours, median_hours, max_hours, source, licence
        FROM read_parquet('$data/release=$release/table=waits/year=${YEAR:-2025}/part-0.parquet') WHERE class = 'all')
  TO 'waits.csv' (HEADER, DELIMITER ',')"
head -n 3 waits.csv
