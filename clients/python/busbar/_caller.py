"""Caller of operations."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ._http import Address, call
from ._request import target


class Caller:
    """Sends operations to a service, with a timeout."""

    def __init__(self, address: Address, timeout: float) -> None:
        self.timeout = timeout
        self._address = address

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Dict[str, Any]] = None,
        body: Optional[Dict[str, Any]] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        content = body and {name: value for name, value in body.items() if value is not None}
        limit = self.timeout if timeout is None else timeout
        return call(self._address, method, target(path, query), content, limit)
