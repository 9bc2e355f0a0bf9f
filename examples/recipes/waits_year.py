"""A year of waits of three ports, one request each, and the ranking of all ports, one request; writes waits.png."""
import os
from datetime import datetime, timedelta, timezone

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = {"X-API-Key": os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")}
# Hong Kong is polled, Helsinki's agents report, and Brazil's regulator publishes records: three sources.
ports = os.environ.get("PORTS", "HKHKG FIHEL BRSSZ").split()


def read(path, **options):
    return pd.read_csv(f"{base_url}/v1/{path}", storage_options=key, **options)


last = datetime.now(timezone.utc).date()
first = last - timedelta(days=365)
figure, axes = plt.subplots(len(ports), sharex=True, figsize=(9, 2.4 * len(ports)), layout="constrained")
for axis, port in zip(axes, ports):
    waits = read(f"ports/{port}/waits?from={first}&to={last}&format=csv", parse_dates=["date"], index_col="date")
    week = waits[["median_hours", "p90_hours"]].rolling(7, min_periods=1).mean()
    axis.fill_between(week.index, week["median_hours"], week["p90_hours"], alpha=0.3)
    axis.plot(week.index, week["median_hours"])
    axis.set(title=f"{port}: median to 90th percentile, {waits['berthed'].sum()} berthings", ylabel="hours")
    print(f"{port}: {len(waits)} days, {waits['berthed'].sum()} berthings")
figure.savefig("waits.png", dpi=120)

ranking = read("ports?sort=-congestion_score&format=csv")
print(ranking[["port", "congestion_score", "avg_wait_hours", "as_of"]].head(5).to_string(index=False))
