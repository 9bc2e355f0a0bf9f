"""JSON, CSV and an error through the clients of openapi-python-client. Arguments: base address, key."""
import datetime
import sys

import generated_csv
import generated_json
from generated_csv.api.ports import trend as csv_trend
from generated_json.api.ports import snapshot, trend
from generated_json.models import ErrorEnvelope, ErrorEnvelopeCode

base, key = sys.argv[1:]
options = {"base_url": base, "token": key, "auth_header_name": "X-API-Key", "prefix": ""}
client = generated_json.AuthenticatedClient(**options)

points = trend.sync("USLAX", client=client, days=7)
assert len(points) == 7, points
assert isinstance(points[0].date, datetime.date) and isinstance(points[0].congestion_score, float), points[0]

lines = csv_trend.sync("USLAX", client=generated_csv.AuthenticatedClient(**options), days=7).splitlines()
assert lines[0] == "date,congestion_score,avg_wait_hours,vessels" and len(lines) == 8, lines

wrong = snapshot.sync("uslax", client=client)
assert isinstance(wrong, ErrorEnvelope) and wrong.code == ErrorEnvelopeCode.VALIDATION_FAILED, wrong
assert wrong.hint == "Did you mean USLAX?", wrong
print("openapi-python-client: JSON, CSV and an error")
