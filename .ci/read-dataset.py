"""Every file of the newest release through Polars and pandas, read in place: address of the dataset."""
import json
import sys
from urllib.request import urlopen

import pandas as pd
import polars as pl

data = sys.argv[1]
release = json.load(urlopen(data + "latest.json"))["release"]
files = json.load(urlopen(f"{data}release={release}/manifest.json"))["files"]
for file in files:
    address = data + file["path"]
    rows = {
        "Polars": pl.read_parquet(address).height,
        "Polars, lazily": pl.scan_parquet(address).select(pl.len()).collect().item(),
        "pandas": len(pd.read_parquet(address)),
    }
    assert set(rows.values()) == {file["rows"]}, (file["path"], file["rows"], rows)
first = files[0]
newest = data + "latest/" + first["path"].split("/", 1)[1]
assert pl.scan_parquet(newest).collect().height == len(pd.read_parquet(newest)) == first["rows"], newest
print(f"Polars and pandas: {len(files)} files of release {release}")
