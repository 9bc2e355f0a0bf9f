"""The newest release in Polars: the most congested day of each port, and who must be credited."""
import json
import os
from urllib.request import urlopen

import polars as pl

data = os.environ.get("BASE_URL", "http://127.0.0.1:3000") + "/data/"
release = json.load(urlopen(data + "latest.json"))["release"]
manifest = json.load(urlopen(f"{data}release={release}/manifest.json"))
trend = pl.scan_parquet([data + file["path"] for file in manifest["files"] if file["table"] == "trend"])
top = trend.sort("congestion_score", descending=True, maintain_order=True).group_by("port", maintain_order=True).first()
print(top.select("port", "date", "congestion_score").sort("port").collect())
for source in manifest["sources"]:
    # Each table of calls states its own terms.
    for credit in source.get("tables", [source]):
        print(f"{credit['attribution']} ({credit['licence']})")
