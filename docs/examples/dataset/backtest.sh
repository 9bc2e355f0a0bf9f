#!/bin/sh
# A backtest in DuckDB of the rule "avoid a port whose mean wait has risen": the last three days against the three before, and
# what the waits of the next seven days were. Once on the figures that were known on each day, and once on those of now, which
# know how the day went on: the gain that only the second has is look-ahead. A first start has served no figure on its own day: only the
# second has rows there.
set -eu
data=${DATA:-http://127.0.0.1:3000/data}
release=${RELEASE:-$(curl --silent --fail "${BASE_URL:-http://127.0.0.1:3000}/data/latest.json" | cut -d '"' -f 4)}
year=${YEAR:-2025}
duckdb -csv -c "
  WITH trend AS (FROM read_parquet('$data/release=$release/table=trend/year=$year/part-0.parquet')),
  vintages AS (
    FROM read_parquet('$data/release=$release/table=vintages_trend/year=$year/part-0.parquet')
    WHERE NOT backfilled),
  days AS (SELECT DISTINCT date AS today FROM trend),
  figures AS (
    SELECT 'known then' AS figures, today, port, date, avg_wait_hours FROM days JOIN vintages
      ON date BETWEEN today - 5 AND today AND known_from <= today AND (known_to IS NULL OR known_to > today)
    UNION ALL
    SELECT 'known now', today, port, date, avg_wait_hours FROM days JOIN trend ON date BETWEEN today - 5 AND today),
  decisions AS (
    SELECT figures, today, port,
      avg(avg_wait_hours) FILTER (date > today - 3) > avg(avg_wait_hours) FILTER (date <= today - 3) AS avoided
    FROM figures GROUP BY ALL HAVING avoided IS NOT NULL),
  outcomes AS (
    SELECT today, port, avg(avg_wait_hours) AS hours FROM days JOIN trend ON date BETWEEN today + 1 AND today + 7 GROUP BY ALL),
  compared AS (
    SELECT *, count(*) OVER (PARTITION BY today, port, avoided) = 1 AS alone FROM decisions JOIN outcomes USING (today, port))
  SELECT figures, count(*) AS decisions, count(*) FILTER (alone) AS not_shared,
    round(avg(hours) FILTER (NOT avoided), 2) AS hours_taken, round(avg(hours) FILTER (avoided), 2) AS hours_avoided
  FROM compared GROUP BY figures ORDER BY figures DESC"
