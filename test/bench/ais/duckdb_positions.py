"""Run by the `positions` part of the benchmark: DuckDB over a NOAA file; prints what it took as JSON.

python duckdb_positions.py scan|segments|compress THREADS FILE...
"""
import json
import resource
import sys
import time

import duckdb

task, threads, *paths = sys.argv[1:]
TYPES = {
    "MMSI": "INTEGER", "BaseDateTime": "TIMESTAMP", "LAT": "DOUBLE", "LON": "DOUBLE", "SOG": "DOUBLE",
    "COG": "DOUBLE", "Heading": "DOUBLE", "VesselName": "VARCHAR", "IMO": "VARCHAR", "CallSign": "VARCHAR",
    "VesselType": "INTEGER", "Status": "INTEGER", "Length": "DOUBLE", "Width": "DOUBLE", "Draft": "DOUBLE",
    "Cargo": "INTEGER", "TransceiverClass": "VARCHAR",
}
columns = ", ".join(f"'{name}': '{type_}'" for name, type_ in TYPES.items())
rows_of = f"read_csv({paths}, header = true, columns = {{{columns}}})"

SCAN = f"""select count(*), sum(MMSI), max(BaseDateTime), sum(LAT), sum(LON), sum(SOG), sum(Heading), sum(VesselType)
  from {rows_of}"""

# Slow runs of a cargo vessel by window functions: no hysteresis, no outliers, one track an MMSI.
SEGMENTS = f"""with fixes as (
    select MMSI, BaseDateTime as t, LAT, LON, SOG <= 1 as slow from {rows_of} where VesselType between 70 and 89
  ), marked as (
    select *, case when slow is distinct from lag(slow) over w or t - lag(t) over w > interval 4 hours
      then 1 else 0 end as turn
    from fixes window w as (partition by MMSI order by t)
  ), runs as (
    select *, sum(turn) over (partition by MMSI order by t rows unbounded preceding) as run from marked
  )
  select MMSI, epoch_ms(min(t)) as start_at, epoch_ms(max(t)) as end_at, avg(LAT), avg(LON),
    sqrt(var_pop(LAT) + var_pop(LON * cos(radians(LAT)))) * 111195 as rms
  from runs where slow group by MMSI, run having max(t) - min(t) >= interval 30 minutes"""

connection = duckdb.connect(":memory:")
connection.execute(f"set threads = {int(threads)}")
if task == "compress":
    for path in paths:
        source = f"read_csv('{path}', header = true, all_varchar = true)"
        connection.execute(f"copy (select * from {source}) to '{path}.zst' (format csv, header true, compression zstd)")
    print("{}")
    sys.exit()
started = time.perf_counter()
found = connection.execute(SCAN if task == "scan" else SEGMENTS).fetchall()
seconds = time.perf_counter() - started
usage = resource.getrusage(resource.RUSAGE_SELF)
result = {
    "rows": found[0][0] if task == "scan" else len(found),
    "seconds": seconds,
    "cpuSeconds": usage.ru_utime + usage.ru_stime,
    "rss": usage.ru_maxrss / 1024,
}
print(json.dumps(result))
