"""Port congestion as pandas frames."""
from .client import Client
from .requests import ServiceError

__all__ = ["Client", "ServiceError"]
