"""The ranking of all ports, one request, and a year of waits of the most congested three, one each; writes waits.png."""
import json
import os
from datetime import date, timedelta
from urllib.error import HTTPError
from urllib.request import urlopen

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = {"X-API-Key": os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")}


def read(path, **options):
    try:
        return pd.read_csv(f"{base_url}/v1/{path}", storage_options=key, **options)
    except HTTPError as refusal:
        raise SystemExit(json.load(refusal)["message"]) from None


ranking = read("ports?sort=-congestion_score&format=csv").dropna(subset=["congestion_score"])
print(ranking[["port", "congestion_score", "avg_wait_hours", "as_of"]].head(5).to_string(index=False))
ports = os.environ.get("PORTS", " ".join(ranking["port"].head(3))).split()
if not ports:
    raise SystemExit("no port has a score yet")

# The service's own day: recordings are served at the time they were made.
last = date.fromisoformat(json.load(urlopen(f"{base_url}/v1/health"))["time"][:10])
first = last - timedelta(days=365)
figure, axes = plt.subplots(
    len(ports), sharex=True, squeeze=False, figsize=(9, 2.4 * len(ports)), layout="constrained"
)
for axis, port in zip(axes.flat, ports):
    waits = read(f"ports/{port}/waits?from={first}&to={last}&format=csv", parse_dates=["date"], index_col="date")
    if waits.empty:
        print(f"{port}: no day with waits from {first} to {last}")
        continue
    week = waits[["median_hours", "p90_hours"]].rolling(7, min_periods=1).mean()
    axis.fill_between(week.index, week["median_hours"], week["p90_hours"], alpha=0.3)
    axis.plot(week.index, week["median_hours"])
    axis.set(title=f"{port}: median to 90th percentile, {waits['berthed'].sum()} berthings", ylabel="hours")
    print(f"{port}: {len(waits)} days, {waits['berthed'].sum()} berthings")
figure.savefig("waits.png", dpi=120)
