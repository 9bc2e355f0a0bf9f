"""Requests of a service, retried as it asks."""
import json
import random
import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

ATTEMPTS, LONGEST_WAIT_SECONDS, TIMEOUT_SECONDS = 5, 60, 60


class ServiceError(Exception):
    """An error response, with its `envelope` (`code`, `message`, `request_id`, `hint`), or why there was none."""

    def __init__(self, message: str, status: int | None = None, envelope: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.envelope = status, envelope or {}


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would send the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = build_opener(_NoRedirect)


def _stated(address: str, error: HTTPError) -> ServiceError:
    try:
        envelope = dict(json.load(error))
    except (TypeError, ValueError):
        envelope = {"message": error.reason}
    texts = (f"{address}: {error.code}", envelope.get("message"), envelope.get("hint"))
    return ServiceError(" ".join(filter(None, texts)), error.code, envelope)


def fetch(address: str, key: str | None = None) -> bytes:
    """The body of a 200. 429, 5xx and broken connections are retried: after Retry-After, else after 1, 2, 4 and 8 s."""
    request = Request(address, headers={} if key is None else {"X-API-Key": key})
    for attempt in range(ATTEMPTS):
        seconds = 2.0**attempt * random.uniform(0.8, 1.2)
        try:
            with _OPENER.open(request, timeout=TIMEOUT_SECONDS) as response:
                return bytes(response.read())
        except HTTPError as error:
            failure, after = _stated(address, error), error.headers.get("Retry-After") or ""
            if error.code != 429 and error.code < 500:
                break
            seconds = float(after) if after.isdigit() else seconds
        except (OSError, HTTPException) as error:
            failure = ServiceError(f"{address}: no response, {error}")
        if seconds > LONGEST_WAIT_SECONDS or attempt + 1 == ATTEMPTS:
            break
        time.sleep(seconds)
    raise failure
