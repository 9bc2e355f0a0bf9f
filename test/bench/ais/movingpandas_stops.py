"""Run by `npm run ais-side-by-side`: stays of a NOAA file as movingpandas' stop detector finds them.

python movingpandas_stops.py FILE   prints a line of JSON a stay
"""
import json
import math
import sys
import warnings
from datetime import timedelta

import geopandas
import movingpandas
import pandas

warnings.filterwarnings("ignore")
rows = pandas.read_csv(sys.argv[1], usecols=["MMSI", "BaseDateTime", "LAT", "LON", "VesselType"], parse_dates=["BaseDateTime"])
rows = rows[rows.MMSI.between(200_000_000, 799_999_999) & (rows.LAT.abs() <= 90)]
cargo = rows.MMSI[rows.VesselType.between(70, 89)].unique()
fixes = rows[rows.MMSI.isin(cargo)].drop_duplicates(["MMSI", "BaseDateTime"]).sort_values(["MMSI", "BaseDateTime"])
for mmsi, of in fixes.groupby("MMSI"):
    if len(of) < 10:
        continue
    frame = geopandas.GeoDataFrame(of, geometry=geopandas.points_from_xy(of.LON, of.LAT), crs=4326).set_index("BaseDateTime")
    detector = movingpandas.TrajectoryStopDetector(movingpandas.Trajectory(frame, mmsi))
    # The widest circle of an anchored vessel, and the least length of a stop here.
    for stop in detector.get_stop_time_ranges(max_diameter=700, min_duration=timedelta(minutes=30)):
        begin, end = stop.t_0, stop.t_n
        inside = of[(of.BaseDateTime >= begin) & (of.BaseDateTime <= end)]
        north = inside.LAT.std(ddof=0) * 111195
        east = inside.LON.std(ddof=0) * 111195 * math.cos(math.radians(inside.LAT.mean()))
        times = [int(at.timestamp() * 1000) for at in (begin, end)]
        print(json.dumps([int(mmsi), *times, float(inside.LAT.mean()), float(inside.LON.mean()), math.hypot(north, east)]))
