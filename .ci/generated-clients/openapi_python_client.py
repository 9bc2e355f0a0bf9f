"""JSON, CSV and an error through the client of openapi-python-client. Arguments: base address, key."""
import datetime
import sys

from generated_client import AuthenticatedClient
from generated_client.api.ports import snapshot, trend
from generated_client.models import ErrorEnvelope, ErrorEnvelopeCode, TrendFormat, TrendWindow

base, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base, token=key, auth_header_name="X-API-Key", prefix="")

points = trend.sync("USLAX", client=client, days=7)
assert len(points) == 7, points
assert isinstance(points[0].date, datetime.date) and isinstance(points[0].congestion_score, float), points[0]

# The functions read JSON; the client's own connection takes the same request as text.
request = trend._get_kwargs("USLAX", window=TrendWindow.VALUE_1, format_=TrendFormat.CSV)
lines = client.get_httpx_client().request(**request).raise_for_status().text.splitlines()
assert lines[0] == "date,congestion_score,avg_wait_hours,vessels" and len(lines) > 7, lines

wrong = snapshot.sync("uslax", client=client)
assert isinstance(wrong, ErrorEnvelope) and wrong.code == ErrorEnvelopeCode.VALIDATION_FAILED, wrong
assert wrong.hint == "Did you mean USLAX?", wrong
print("openapi-python-client: JSON, CSV and an error")
