"""The next seven days of the vessels at anchor, with the error of such forecasts of this port."""
import os

import pandas as pd

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
key = {"X-API-Key": os.environ.get("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")}
days = pd.read_csv(f"{base_url}/v1/ports/TWKHH/forecast?metric=at_anchor&format=csv", storage_options=key)
if days.empty:
    raise SystemExit("no forecast: the reason is in the JSON")
print(days[["date", "p10", "p50", "p90", "error", "coverage"]].to_string(index=False))
print(f"{days['skill_basis'][0]}, {days['skill_origins'][0]} forecasts to {days['skill_to'][0]}")
