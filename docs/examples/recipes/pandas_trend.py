"""The trend of a port as a pandas DataFrame: mean wait of the window and the most congested day."""
import os

import pandas as pd

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")

trend = pd.read_csv(
    f"{base_url}/v1/ports/TWKHH/trend?window=30d&until=2025-10-04&format=csv",
    storage_options={"X-API-Key": key},
    parse_dates=["date"],
    index_col="date",
)
if trend.empty:
    raise SystemExit("TWKHH has no day with figures in these 30 days")
print(f"{len(trend)} days, mean wait {trend['avg_wait_hours'].mean():.1f} h")
print(f"most congested: {trend['congestion_score'].idxmax():%Y-%m-%d}")
