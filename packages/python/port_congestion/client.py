"""Frames of a service: from its dataset, and with a key the newest days from its API."""
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
# With a key, so many days are read from the API: one request of a port, and their corrections are known too.
_RECENT = timedelta(days=29)
# An integer stays one where others are unknown.
_PANDAS_TYPES = {pa.int32(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}


def _day(given: Day, default: date) -> date:
    return default if given is None else date.fromisoformat(str(given)[:10])


def _frame(rows: pa.Table, *order: tuple[str, str]) -> pd.DataFrame:
    rows = rows.sort_by(list(order)) if order else rows
    frame: pd.DataFrame = rows.to_pandas(date_as_object=False, types_mapper=_PANDAS_TYPES.get)
    return frame


@dataclass(frozen=True)
class _Query:
    """Rows of a table: of these ports, from the first to the last day, as they were served at the end of `known`."""

    table: str
    ports: Sequence[str] | None
    first: date
    last: date
    known: date | None
    vessel_class: str | None

    def wanted(self) -> pc.Expression:
        if self.table == "alerts":
            # As in the API, an alert of the end of a day belongs to that day.
            begin, end = (datetime.combine(day, time(), UTC) for day in (self.first, self.last + _ONE_DAY))
            wanted = (pc.field("as_of") > begin) & (pc.field("as_of") <= end)
        else:
            wanted = (pc.field("date") >= self.first) & (pc.field("date") <= self.last)
        if self.vessel_class is not None:
            wanted &= pc.field("class") == self.vessel_class
        return wanted if self.ports is None else wanted & pc.field("port").isin(list(self.ports))

    def request(self, first: date, last: date) -> dict[str, object]:
        """Parameters of the API for a part of the days."""
        if self.vessel_class is None:
            return {"days": (last - first).days + 1, "until": last, "as_of": self.known}
        vessel_class = None if self.vessel_class == "all" else self.vessel_class
        return {"from": first, "to": last, "class": vessel_class, "as_of": self.known}


class Client:
    """Reads the service at `address`, such as http://127.0.0.1:3000; `key` adds the newest days from its API.

    `port` is a UN/LOCODE, several, or None for all. `start` and `end` are the first and the last UTC day, by default
    all. `as_of` gives the figures as they were served at the end of that UTC day.
    """

    def __init__(self, address: str, key: str | None = None) -> None:
        self.dataset = Dataset(address.rstrip("/"))
        self._address, self._key = address.rstrip("/"), key

    def ports(self, as_of: Day = None) -> pd.DataFrame:
        """Every covered port with its newest figures."""
        known, live = self._known(as_of)
        if live:
            rows = self.dataset.to_table("ports", self._get("/v1/ports", as_of=known))
        else:
            rows = self._read("ports", known, pc.scalar(True))
        return _frame(rows, ("port", "ascending"))

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

    def table(self, name: str) -> pd.DataFrame:
        """A table of the dataset as it is, such as `calls`, or `vintages_trend`, whose rows say when they were served."""
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
        known, live = self._known(as_of)
        first, last = _day(start, _FIRST_DAY), _day(end, known or _LAST_DAY)
        query = _Query(table, [port] if isinstance(port, str) else port, first, last, known, vessel_class)
        newest: list[dict[str, Any]] = []
        if live:
            # The day of the service's clock, which stands in the past where it serves a recorded time.
            today = date.fromisoformat(self._get("/v1/health")["time"][:10])
            recent, last = max(first, min(self.dataset.release, today - _RECENT)), min(last, today)
            newest = list(self._newest(query, recent, last))
            query = replace(query, last=min(last, recent - _ONE_DAY))
        years = range(query.first.year, query.last.year + 2)
        rows = [self._read(table, known, query.wanted(), years)] if query.first <= query.last else []
        by = [("as_of", "descending")] if table == "alerts" else [("port", "ascending"), ("date", "ascending")]
        return _frame(pa.concat_tables([self.dataset.to_table(table, newest), *rows]), *by)

    def _newest(self, query: _Query, first: date, last: date) -> Iterator[dict[str, Any]]:
        """Records of the API, with their ports."""
        codes = query.ports
        if codes is None:
            listed = self._get("/v1/ports")
            codes = [record["port"] for record in listed if (record["last_day"] or "") >= str(first)]
        for code in codes:
            until = last
            while until >= first:
                since = max(first, until - _RECENT)
                for record in self._get(f"/v1/ports/{code}/{query.table}", **query.request(since, until)):
                    yield {**record, "port": code, "class": query.vessel_class}
                until = since - _ONE_DAY

    def _get(self, path: str, **parameters: object) -> Any:
        given = urlencode({name: value for name, value in parameters.items() if value is not None})
        return json.loads(fetch(f"{self._address}{path}?{given}", self._key))
