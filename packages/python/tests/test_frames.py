"""Frames against the API of a running service, row by row. BASE_URL and PCD_API_KEY name it; its past has a release."""
import json
import math
import os
import unittest
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pandas as pd

from port_congestion import Client, ServiceError
from port_congestion.client import _CLASSES, _METRICS

ADDRESS, KEY = os.environ["BASE_URL"], os.environ["PCD_API_KEY"]
ONE_DAY = timedelta(days=1)
Row = dict[str, Any]


def api(path: str) -> Any:
    with urlopen(Request(ADDRESS + path, headers={"X-API-Key": KEY})) as response:
        return json.load(response)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return value
    if value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, pd.Timestamp):
        return str(value.date()) if value.tzinfo is None else value.strftime("%Y-%m-%dT%H:%M:%SZ")
    return value


def records(frame: pd.DataFrame) -> list[Row]:
    return [{name: plain(value) for name, value in row.items()} for row in frame.to_dict("records")]


def by_all(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


class Frames(unittest.TestCase):
    maxDiff = 2_000
    keyless, keyed = Client(ADDRESS), Client(ADDRESS, KEY)
    release = keyless.dataset.release
    last = release - ONE_DAY
    today = date.fromisoformat(api("/v1/health")["time"][:10])
    codes = [port["port"] for port in api("/v1/ports") if port["last_day"] is not None]

    def expected(self, table: str, first: date, last: date, as_of: date | None) -> list[Row]:
        """Rows of the API for all ports, in as many requests as it takes."""
        rows: list[Row] = []
        for code in self.codes:
            until = last
            while until >= first:
                since = max(first, until - 29 * ONE_DAY)
                length = (until - since).days + 1
                days = f"from={since}&to={until}" if table == "waits" else f"days={length}&until={until}"
                known = "" if as_of is None else f"&as_of={as_of}"
                rows += [{"port": code, **row} for row in api(f"/v1/ports/{code}/{table}?{days}{known}")]
                until = since - ONE_DAY
        return rows

    def assert_rows(self, frame: pd.DataFrame, expected: list[Row]) -> None:
        """The same rows; those of the frame state source and licence too."""
        self.assertTrue(frame["licence"].notna().all())
        names = ["port", *(expected[0] if expected else [])]
        shown = [{name: row[name] for name in names} for row in records(frame)]
        self.assertEqual(by_all(shown), by_all(expected))

    def test_all_ports_and_ninety_days_are_one_call(self) -> None:
        first = self.last - 89 * ONE_DAY
        for table in ("trend", "waits", "alerts"):
            with self.subTest(table):
                frame = getattr(self.keyless, table)(start=first, end=self.last)
                expected = self.expected(table, first, self.last, None)
                self.assertGreater(len(expected), 0)
                self.assert_rows(frame, expected)

    def test_a_port_as_it_was_known_on_each_day(self) -> None:
        differing = 0
        for back in range(1, (self.release - date.fromisoformat(self.vintages_from())).days + 1):
            known = self.release - back * ONE_DAY
            first = known - 39 * ONE_DAY
            for table in ("trend", "waits", "alerts"):
                with self.subTest(f"{table} as of {known}"):
                    then = getattr(self.keyless, table)(start=first, as_of=known)
                    self.assert_rows(then, self.expected(table, first, known, known))
                    now = getattr(self.keyless, table)(start=first, end=known)
                    differing += records(then) != records(now)
        self.assertGreater(differing, 0, "the service has no figure that was ever corrected")

    def served(self, day: date | None) -> list[Row]:
        """What the API served on a day: a row a day ahead, with the horizon's skill."""
        rows: list[Row] = []
        for code in self.codes:
            for metric in ("avg_wait_hours", "at_anchor"):
                body = api(f"/v1/ports/{code}/forecast?metric={metric}" + (f"&as_of={day}" if day else ""))
                horizons = (body["skill"] or {}).get("horizons", [])
                for row, horizon in zip(body["rows"], horizons):
                    head = {name: body[name] for name in ("port", "metric", "as_of", "history_days", "replayed")}
                    rows.append({**head, **row, **horizon, "skill_origins": body["skill"]["origins"]})
        return rows

    def forecasts(self, client: Client, **asked: Any) -> list[Row]:
        frames = [client.forecasts(metric=metric, **asked) for metric in ("avg_wait_hours", "at_anchor")]
        rows = [row for frame in frames for row in records(frame)]
        renamed = [{**row, "date": row["day"], "coverage": row["band_coverage"]} for row in rows]
        return by_all([{name: row[name] for name in self.served_names} for row in renamed])

    served_names = (
        "port metric as_of history_days replayed date p10 p50 p90 method error ratio_to_persistence ratio_to_median "
        "coverage skill_origins"
    ).split()

    def assert_served(self, rows: list[Row], day: date | None) -> None:
        expected = [{name: row[name] for name in self.served_names} for row in self.served(day)]
        self.assertGreater(len(expected), 0)
        self.assertEqual(rows, by_all(expected))

    def test_forecasts_as_they_were_served(self) -> None:
        for back in (1, 2, 3):
            day = self.release - back * ONE_DAY
            self.assert_served(self.forecasts(self.keyless, as_of=day), day)
            self.assert_served(self.forecasts(self.keyless, start=day, end=day), day)
        self.assert_served(self.forecasts(self.keyed, as_of=self.today), self.today)
        self.assert_served(self.forecasts(self.keyed, start=self.today), None)

    def vintages_from(self) -> str:
        begin = self.keyless.table("vintages_ports")["known_from"].min()
        return str(begin.date())

    def test_a_key_adds_the_newest_days(self) -> None:
        first = self.today - 44 * ONE_DAY
        for table in ("trend", "waits", "alerts"):
            for known in (None, self.today):
                with self.subTest(f"{table} as of {known}"):
                    frame = getattr(self.keyed, table)(start=str(first), as_of=known)
                    self.assert_rows(frame, self.expected(table, first, self.today, known))
        newest = self.keyed.waits()["date"].max()
        self.assertEqual(newest.date(), self.today)

    def test_some_ports_and_a_class(self) -> None:
        two = self.codes[:2]
        self.assertEqual(set(self.keyless.trend(two)["port"]), set(two))
        self.assertEqual(set(self.keyed.trend(two[0], start=self.today)["port"]), {two[0]})
        for client in (self.keyless, self.keyed):
            frame = client.waits(two[0], start=self.last, end=self.last, vessel_class="container")
            path = f"/v1/ports/{two[0]}/waits?from={self.last}&to={self.last}&class=container"
            self.assert_rows(frame, [{"port": two[0], **row} for row in api(path)])

    def test_the_list_of_ports(self) -> None:
        def listed(query: str = "") -> list[Row]:
            rows = api("/v1/ports" + query)
            return [{name: value for name, value in row.items() if name != "evidence"} for row in rows]

        self.assert_rows(self.keyless.ports(), listed())
        self.assert_rows(self.keyed.ports(), listed())
        self.assert_rows(self.keyless.ports(as_of=self.last), listed(f"?as_of={self.last}"))

    def test_integers_stay_integers(self) -> None:
        waits = self.keyless.waits()
        self.assertEqual([str(waits[name].dtype) for name in ("berthed", "waiting")], ["Int64", "Int64"])

    def test_what_is_misspelt_is_an_error(self) -> None:
        for client in (self.keyless, self.keyed):
            for table in ("trend", "waits", "alerts", "forecasts"):
                with self.subTest(table), self.assertRaisesRegex(LookupError, "ZZZZZ; ports"):
                    getattr(client, table)([self.codes[0], "ZZZZZ"])
            with self.assertRaisesRegex(ValueError, "one of all, container, .* not 'containers'"):
                client.waits(self.codes[0], vessel_class="containers")
            with self.assertRaisesRegex(ValueError, "one of avg_wait_hours, .* not 'wait'"):
                client.forecasts(self.codes[0], metric="wait")

    def test_a_covered_port_without_days_is_empty(self) -> None:
        for client in (self.keyless, self.keyed):
            frame = client.trend(self.codes[0], start="1999-01-01", end="1999-01-31")
            self.assertEqual((len(frame), "congestion_score" in frame), (0, True))

    def test_classes_and_metrics_are_those_of_the_api(self) -> None:
        schema = json.loads(Path(__file__).parents[3].joinpath("docs/openapi.json").read_text())
        for path, name, allowed in (("waits", "class", _CLASSES[1:]), ("forecast", "metric", _METRICS)):
            parameters = schema["paths"][f"/v1/ports/{{UNLOCODE}}/{path}"]["get"]["parameters"]
            self.assertEqual(next(p["schema"]["enum"] for p in parameters if p.get("name") == name), list(allowed))

    def test_errors_say_what_to_do(self) -> None:
        with self.assertRaisesRegex(LookupError, f"the dataset knows the days before {self.release}.*give a key"):
            self.keyless.trend(as_of=self.today)
        with self.assertRaisesRegex(LookupError, "no table nothing, only trend, waits"):
            self.keyless.table("nothing")
        with self.assertRaisesRegex(ServiceError, ": 401 ") as caught:
            Client(ADDRESS, "pcd_dev_unknown").trend()
        self.assertEqual(caught.exception.envelope["code"], "auth_invalid")
        with self.assertRaisesRegex(ServiceError, "/data/latest.json: 404 "):
            Client(f"{ADDRESS}/v1").ports()


if __name__ == "__main__":
    unittest.main()
