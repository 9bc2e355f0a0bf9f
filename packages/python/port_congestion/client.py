"""Frames of a service: from its dataset, and with a key the newest days from its API."""
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from .dataset import Dataset
from .requests import fetch

Day = date | str | None
Ports = str | Sequence[str] | None

_FIRST_DAY, _LAST_DAY, _ONE_DAY = date(1970, 1, 1), date(2261, 1, 1), timedelta(days=1)
# With a key, this many days are read from the API: one request for a port, with their corrections.
_RECENT = timedelta(days=29)
# Lists of `forecasts_issued`: a figure for each horizon.
_BY_HORIZON = ("error", "ratio_to_persistence", "ratio_to_median", "band_coverage")
# Values that the API takes, too; a class or metric without rows gives an empty frame.
_CLASSES = ("all", "container", "bulk", "tanker", "other")
_METRICS = ("avg_wait_hours", "at_anchor", "congestion_score")
_PANDAS_TYPES = {pa.int32(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}  # the same where one is unknown


def _day(given: Day, default: date) -> date:
    return default if given is None else date.fromisoformat(str(given)[:10])


def _frame(rows: pa.Table, *order: tuple[str, str]) -> pd.DataFrame:
    rows = rows.sort_by(list(order)) if order else rows
    return pd.DataFrame(rows.to_pandas(date_as_object=False, types_mapper=_PANDAS_TYPES.get))


def _of_ports(wanted: pc.Expression, port: Ports) -> pc.Expression:
    return wanted if port is None else wanted & pc.field("port").isin([port] if isinstance(port, str) else list(port))


def _check(name: str, given: str, allowed: Sequence[str]) -> None:
    if given not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {given!r}")


def _wanted(table: str, first: date, last: date) -> pc.Expression:
    """Rows of the days; as in the API, an alert of the end of a day belongs to that day."""
    if table != "alerts":
        return (pc.field("date") >= first) & (pc.field("date") <= last)
    begin, end = (datetime.combine(day, time(), UTC) for day in (first, last + _ONE_DAY))
    return (pc.field("as_of") > begin) & (pc.field("as_of") <= end)


class Client:
    """Reads the service at `address`, such as http://127.0.0.1:3000; `key` adds the newest days from its API.

    `port` is a UN/LOCODE, several, or None for all. `start` and `end` are the first and the last UTC day, by default
    all. `as_of` gives the figures as they were served at the end of that UTC day. A port that the service does not cover
    is a LookupError, an unknown class or metric a ValueError; a covered port without data in the span has no rows.
    """

    def __init__(self, address: str, key: str | None = None) -> None:
        self.dataset = Dataset(address.rstrip("/"))
        self._address, self._key = address.rstrip("/"), key

    def ports(self, as_of: Day = None) -> pd.DataFrame:
        """Every covered port with its newest figures."""
        known, live = self._known(as_of)
        if not live:
            return _frame(self._read("ports", known, pc.scalar(True)), ("port", "ascending"))
        return _frame(self.dataset.to_table("ports", self._get("/v1/ports", as_of=known)), ("port", "ascending"))

    def trend(self, port: Ports = None, start: Day = None, end: Day = None, as_of: Day = None) -> pd.DataFrame:
        """Congestion score, average wait and vessels in port, a row a port and day."""
        return self._series("trend", port, start, end, as_of)

    def waits(
        self, port: Ports = None, start: Day = None, end: Day = None, as_of: Day = None, vessel_class: str = "all"
    ) -> pd.DataFrame:
        """Berthings, waits and coverage, unsmoothed, a row a port and day."""
        return self._series("waits", port, start, end, as_of, vessel_class)

    def alerts(self, port: Ports = None, start: Day = None, end: Day = None, as_of: Day = None) -> pd.DataFrame:
        """Alerts, newest first; one of a whole day is dated to its end."""
        return self._series("alerts", port, start, end, as_of)

    def forecasts(
        self, port: Ports = None, start: Day = None, end: Day = None, as_of: Day = None, metric: str = "avg_wait_hours"
    ) -> pd.DataFrame:
        """Forecasts as issued from `start` to `end`, a row a day ahead; `as_of` gives those of that day."""
        _check("metric", metric, _METRICS)
        self._check_ports(port)
        known, live = self._known(as_of)
        first, last, issued = _day(as_of or start, _FIRST_DAY), _day(as_of or end, _LAST_DAY), pc.field("issued")
        wanted = _of_ports((issued >= first) & (issued <= last) & (pc.field("metric") == metric), port)
        schema = self._forecast_schema()
        rows = pa.Table.from_pylist(list(self._issued(wanted)), schema=schema)
        newest = list[dict[str, Any]]()
        for day in pd.date_range(max(first, self.dataset.release), min(last, self._today())) if live else ():
            for code in self._codes(port, day.date()):
                newest += self._served_forecast(code, metric, day.date())
        order = [(column, "ascending") for column in ("port", "issued", "day")]
        return _frame(pa.concat_tables([rows, self.dataset.to_table(schema, newest)]), *order)

    def table(self, name: str) -> pd.DataFrame:
        """A table of the dataset as it is, such as `days`, `calls`, `alerts_raised` or `vintages_trend`."""
        return _frame(self.dataset.read(name))

    def _known(self, as_of: Day) -> tuple[date | None, bool]:
        """The day of `as_of`, and whether the API knows more of it than the dataset."""
        known = None if as_of is None else _day(as_of, _LAST_DAY)
        if known is not None and known < self.dataset.release:
            return known, False
        if known is not None and self._key is None:
            raise LookupError(f"the dataset knows the days before {self.dataset.release}; for {known} give a key")
        return known, self._key is not None

    def _read(self, table: str, known: date | None, wanted: pc.Expression, years: Iterable[int] = ()) -> pa.Table:
        """Rows of a table, or of its vintages, in the columns of the table."""
        if known is None:
            return self.dataset.read(table, wanted, years)
        ends = pc.field("known_to")
        served = (pc.field("known_from") <= known) & (ends.is_null() | (ends > known))
        rows = self.dataset.read(f"vintages_{table}", wanted & served, years)
        return rows.select(self.dataset.schema(table).names)

    def _series(
        self, table: str, port: Ports, start: Day, end: Day, as_of: Day, vessel_class: str | None = None
    ) -> pd.DataFrame:
        if vessel_class is not None:
            _check("vessel_class", vessel_class, _CLASSES)
        self._check_ports(port)
        known, live = self._known(as_of)
        first, last = _day(start, _FIRST_DAY), _day(end, known or _LAST_DAY)
        rows = []
        if live:
            today = self._today()
            recent = max(first, min(self.dataset.release, today - _RECENT))
            newest = self._newest(table, port, recent, min(last, today), known, vessel_class)
            rows, last = [self.dataset.to_table(table, newest)], min(last, recent - _ONE_DAY)
        wanted = _of_ports(_wanted(table, first, last), port)
        wanted = wanted if vessel_class is None else wanted & (pc.field("class") == vessel_class)
        rows.append(self._read(table, known, wanted, range(first.year, last.year + 2)))
        by = [("as_of", "descending")] if table == "alerts" else [("port", "ascending"), ("date", "ascending")]
        return _frame(pa.concat_tables(rows), *by)

    def _check_ports(self, port: Ports) -> None:
        given = {port} if isinstance(port, str) else set(port or ())
        unknown = given - set(self.dataset.read("ports")["port"].to_pylist())
        if unknown and self._key is not None:
            unknown -= {record["port"] for record in self._get("/v1/ports")}
        if unknown:
            raise LookupError(f"no covered port has the UN/LOCODE {', '.join(sorted(unknown))}; ports() lists them")

    def _today(self) -> date:
        """The day of the service's clock, which stands in the past where it serves a recorded time."""
        return date.fromisoformat(self._get("/v1/health")["time"][:10])

    def _codes(self, port: Ports, first: date) -> Sequence[str]:
        """The ports that are asked for, or those that were observed since the day."""
        if port is not None:
            return [port] if isinstance(port, str) else port
        return [record["port"] for record in self._get("/v1/ports") if (record["last_day"] or "") >= str(first)]

    def _newest(
        self, table: str, port: Ports, first: date, last: date, known: date | None, vessel_class: str | None
    ) -> Iterator[dict[str, Any]]:
        of_class = None if vessel_class == "all" else vessel_class
        for code in self._codes(port, first):
            until = last
            while until >= first:
                since = max(first, until - _RECENT)
                span = {"days": (until - since).days + 1, "until": until}
                days = span if table != "waits" else {"from": since, "to": until, "class": of_class}
                for record in self._get(f"/v1/ports/{code}/{table}", **days, as_of=known):
                    yield {**record, "port": code, "class": vessel_class}
                until = since - _ONE_DAY

    def _forecast_schema(self) -> pa.Schema:
        """The columns of `forecasts`, with what was issued beside them for the day's horizon."""
        days, issued = self.dataset.schema("forecasts"), self.dataset.schema("forecasts_issued")
        more = [field.with_type(pa.float64()) if field.name in _BY_HORIZON else field for field in issued]
        return pa.schema([*days, *(field for field in more if field.name not in {*days.names, "reason", "regression"})])

    def _issued(self, wanted: pc.Expression) -> Iterator[dict[str, Any]]:
        issues = self.dataset.read("forecasts_issued", wanted).to_pylist()
        by_day = {(issued["port"], issued["issued"]): issued for issued in issues}
        for row in self.dataset.read("forecasts", wanted).to_pylist():
            issued = by_day[row["port"], row["issued"]]
            at = (row["day"] - row["issued"]).days
            yield {**issued, **row, **{name: issued[name][at] for name in _BY_HORIZON}}

    def _served_forecast(self, code: str, metric: str, day: date) -> Iterator[dict[str, Any]]:
        body = self._get(f"/v1/ports/{code}/forecast", metric=metric, as_of=day)
        skill = body["skill"] or {"horizons": []}
        head = {**body, "issued": str(day), **{f"skill_{name}": value for name, value in skill.items()}}
        for row, horizon in zip(body["rows"], skill["horizons"]):
            yield {**head, **row, **horizon, "day": row["date"], "band_coverage": horizon["coverage"]}

    def _get(self, path: str, **parameters: object) -> Any:
        given = urlencode({name: value for name, value in parameters.items() if value is not None})
        return json.loads(fetch(f"{self._address}{path}?{given}", self._key))
