"""The newest release in pandas: the mean daily wait of each port by month. Reads the manifest, so it knows every file."""
import json
import os
from urllib.request import urlopen

import pandas as pd

data = os.environ.get("BASE_URL", "http://127.0.0.1:3000") + "/data/"
release = json.load(urlopen(data + "latest.json"))["release"]
manifest = json.load(urlopen(f"{data}release={release}/manifest.json"))
files = [data + file["path"] for file in manifest["files"] if file["table"] == "waits"]
waits = pd.concat(pd.read_parquet(file) for file in files)
waits = waits[waits["class"] == "all"]
months = pd.to_datetime(waits["date"]).dt.to_period("M")
print(f"release {release}, methodology {manifest['methodology_version']}, {len(waits)} days of {waits['port'].nunique()} ports")
print(waits.groupby(["port", months])["mean_hours"].mean().round(1).to_string())
