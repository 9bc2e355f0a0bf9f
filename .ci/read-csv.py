"""Reads every CSV response with Python's own csv module and compares it with the JSON response: same rows, same numbers."""
import csv
import io
import json
import sys
import urllib.request

base, key = sys.argv[1:]
PATHS = [
    "/v1/meta/sources?",
    "/v1/ports?",
    "/v1/ports/USLAX/trend?window=30d&",
    "/v1/ports/NLRTM/trend?days=3&",
    "/v1/ports/USLAX/dwell?days=3&",
    "/v1/ports/USLAX/alerts?",
    "/v1/hs/85/imports?",
]


def get(path):
    request = urllib.request.Request(base + path, headers={"X-API-Key": key})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return reply.headers.get_content_type(), reply.read().decode("utf-8")


def cell(value):
    if isinstance(value, list):
        return " ".join(value)
    return "" if value is None else str(value)


for path in PATHS:
    media_type, text = get(path + "format=csv")
    assert media_type == "text/csv", media_type
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    expected = json.loads(get(path + "format=json")[1], parse_float=str, parse_int=str)
    assert rows, path
    assert len(rows) == len(expected), (path, len(rows), len(expected))
    for row, record in zip(rows, expected):
        assert None not in row and None not in row.values(), (path, row)
        assert row == {name: cell(record.get(name)) for name in row}, (path, row, record)
        assert set(record) <= set(row), (path, row, record)
    print(f"{path}format=csv: {len(rows)} rows")
