"""Run by `npm run ais-side-by-side`: stays of a NOAA file as movingpandas or SQL window functions find them.

python stop_detectors.py movingpandas|sql FILE   prints a line of JSON a stay
"""
import json
import sys

import duckdb

task, path = sys.argv[1:3]
rows_of = f"""(select MMSI, BaseDateTime as t, LAT, LON, try_cast(SOG as double) as SOG, try_cast(VesselType as integer) as kind
  from read_csv('{path}', header = true) where MMSI between 200000000 and 799999999 and abs(LAT) <= 90)"""


def print_stay(mmsi, start_at, end_at, latitude, longitude, rms):
    print(json.dumps({"mmsi": mmsi, "startAt": start_at, "endAt": end_at, "latitude": latitude,
                      "longitude": longitude, "rms": rms}))


def by_sql():
    # Slow runs by window functions: no hysteresis, no outliers, one track an MMSI.
    stays = duckdb.sql(f"""with cargo as (
        select * from {rows_of} where MMSI in (select MMSI from {rows_of} where kind between 70 and 89)
      ), marked as (
        select *, case when slow is distinct from lag(slow) over w
          or t - lag(t) over w > interval 4 hours then 1 else 0 end as turn
        from (select *, SOG <= 1 as slow from cargo) window w as (partition by MMSI order by t)
      ), runs as (
        select *, sum(turn) over (partition by MMSI order by t rows unbounded preceding) as run from marked
      )
      select MMSI, epoch_ms(min(t)), epoch_ms(max(t)), avg(LAT), avg(LON),
        sqrt(var_pop(LAT) + var_pop(LON * cos(radians(LAT)))) * 111195
      from runs where slow group by MMSI, run having max(t) - min(t) >= interval 30 minutes""").fetchall()
    for stay in stays:
        print_stay(*stay)


def by_movingpandas():
    import math
    import warnings
    from datetime import timedelta

    import geopandas
    import movingpandas

    warnings.filterwarnings("ignore")
    fixes = duckdb.sql(f"""select distinct on (MMSI, t) MMSI, t, LAT, LON from {rows_of}
      where MMSI in (select MMSI from {rows_of} where kind between 70 and 89) order by MMSI, t""").df()
    for mmsi, of in fixes.groupby("MMSI"):
        if len(of) < 10:
            continue
        frame = geopandas.GeoDataFrame(of, geometry=geopandas.points_from_xy(of.LON, of.LAT), crs=4326).set_index("t")
        track = movingpandas.Trajectory(frame, mmsi)
        detector = movingpandas.TrajectoryStopDetector(track)
        # The widest circle of an anchored vessel, and the least length of a stop here.
        for stop in detector.get_stop_time_ranges(max_diameter=700, min_duration=timedelta(minutes=30)):
            begin, end = stop.t_0, stop.t_n
            inside = of[(of.t >= begin) & (of.t <= end)]
            north = inside.LAT.std(ddof=0) * 111195
            east = inside.LON.std(ddof=0) * 111195 * math.cos(math.radians(inside.LAT.mean()))
            print_stay(int(mmsi), int(begin.timestamp() * 1000), int(end.timestamp() * 1000), float(inside.LAT.mean()),
                       float(inside.LON.mean()), math.hypot(north, east))


(by_sql if task == "sql" else by_movingpandas)()
