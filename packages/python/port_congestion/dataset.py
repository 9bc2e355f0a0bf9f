"""The dataset of a service, which needs no key: the newest release as Arrow tables."""
import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .requests import ServiceError, fetch

_TYPES: Mapping[str, pa.DataType] = {
    **{"BOOLEAN": pa.bool_(), "INTEGER": pa.int32(), "DOUBLE": pa.float64(), "STRING": pa.string()},
    **{"DATE": pa.date32(), "TIMESTAMP": pa.timestamp("ms", "UTC")},
    **{"LIST<DOUBLE>": pa.list_(pa.float64()), "LIST<STRING>": pa.list_(pa.string())},
}


class Dataset:
    """The release that is the newest when it is first read; another object reads the next one."""

    def __init__(self, address: str) -> None:
        self._address = f"{address}/data/"
        self._files: dict[str, bytes] = {}

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """Files, columns and sources of the release, and the methodology."""
        newest = json.loads(fetch(f"{self._address}latest.json"))["release"]
        return dict(json.loads(fetch(f"{self._address}release={newest}/manifest.json")))

    @property
    def release(self) -> date:
        """UTC day of the release: its figures end with the day before."""
        return date.fromisoformat(self.manifest["release"])

    def schema(self, table: str) -> pa.Schema:
        columns = self.manifest["tables"].get(table)
        if columns is None:
            raise LookupError(f"this release has no table {table}, only {', '.join(self.manifest['tables'])}")
        return pa.schema([(column["name"], _TYPES[column["type"]]) for column in columns])

    def _content(self, path: str, digest: str) -> pa.BufferReader:
        """A file, checked against its digest and kept: files of a release never change."""
        if path not in self._files:
            content = fetch(self._address + path)
            if hashlib.sha256(content).hexdigest() != digest:
                raise ServiceError(f"{path} is damaged: its digest is not that of the manifest")
            self._files[path] = content
        return pa.BufferReader(self._files[path])

    def read(self, table: str, wanted: pc.Expression | None = None, years: Iterable[int] = ()) -> pa.Table:
        """The rows of a table that an expression names, from the files of some years or, without years, of all."""
        schema = self.schema(table)
        read = {None, *map(str, years)}
        rows = [
            pq.read_table(self._content(file["path"], file["sha256"]), filters=wanted).select(schema.names).cast(schema)
            for file in self.manifest["files"]
            if file["table"] == table and (read == {None} or file.get("year") in read)
        ]
        return pa.concat_tables([schema.empty_table(), *rows])

    def to_table(self, table: str | pa.Schema, records: Iterable[Mapping[str, Any]]) -> pa.Table:
        """Records of the API, each with its port, in the columns of a table."""
        schema = self.schema(table) if isinstance(table, str) else table
        text = [field.with_type(pa.string()) if pa.types.is_temporal(field.type) else field for field in schema]
        origins = {row["port"]: row for row in self.read("ports").select(["port", "source", "licence"]).to_pylist()}
        rows = [{**origins.get(record["port"], {}), **record} for record in records]
        return pa.Table.from_pylist(rows, schema=pa.schema(text)).cast(schema)
