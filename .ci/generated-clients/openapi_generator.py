"""Dates, numbers and an error through the client of openapi-generator (Python). Arguments: folder of the client, base address, key."""
import datetime
import sys

folder, base, key = sys.argv[1:]
sys.path.insert(0, folder)
import pcd_client as pcd

client = pcd.ApiClient(pcd.Configuration(host=base, api_key={"apiKey": key}))
ports = pcd.PortsApi(client)

points = ports.trend("USLAX", window="7d")
assert len(points) == 7, points
assert type(points[0].var_date if hasattr(points[0], "var_date") else points[0].date) is datetime.date, points[0]
assert isinstance(points[0].congestion_score, float), points[0]

snapshot = ports.snapshot("USLAX")
assert snapshot.as_of.tzinfo is not None and isinstance(snapshot.vessels.at_anchor, int), snapshot
assert isinstance(ports.waits("USLAX")[0].coverage, (int, float))
assert ports.forecast("USLAX").port == "USLAX"
assert pcd.ServiceApi(client).sources()[0].last_fetch_iso.year > 2000

try:
    ports.snapshot("uslax")
    raise SystemExit("an error was expected")
except pcd.ApiException as error:
    assert error.status == 422 and "Did you mean USLAX?" in error.body, error
print("openapi-generator: dates, numbers and an error")
