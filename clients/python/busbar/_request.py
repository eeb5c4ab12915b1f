"""Requests to the service."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple
from urllib.parse import urlencode


class StreamRequest(NamedTuple):
    """Request for a stream."""

    path: str
    query: Dict[str, Any] = {}

    def target(self, **more: Any) -> str:
        """Path with query."""
        return target(self.path, {**self.query, **more})


def _texts(value: Any) -> List[str]:
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [text for each in value for text in _texts(each)]
    return [str(value)]


def target(path: str, query: Optional[Dict[str, Any]]) -> str:
    """Path with query; lists are repeated, None is omitted."""
    pairs: List[Tuple[str, str]] = [
        (name, text)
        for name, value in (query or {}).items()
        if value is not None
        for text in _texts(value)
    ]
    return f"{path}?{urlencode(pairs)}" if pairs else path
