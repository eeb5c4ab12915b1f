"""Server-sent events as specified by the HTML standard."""

from __future__ import annotations

from typing import List, NamedTuple, Optional


class ServerSentEvent(NamedTuple):
    """Event with its data. Without a name, it only updates the last ID."""

    name: Optional[str]
    data: str
    last_id: Optional[str]


class EventParser:
    """Parses lines into events."""

    def __init__(self) -> None:
        self.last_id: Optional[str] = None
        self._name: Optional[str] = None
        self._data: List[str] = []
        self._has_id = False

    def feed(self, line: str) -> Optional[ServerSentEvent]:
        """Parses a line without its line end and returns the event that it completes."""
        if line == "":
            return self._end()
        if line.startswith(":"):
            return None
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self.last_id = value
            self._has_id = True
        return None

    def _end(self) -> Optional[ServerSentEvent]:
        name = (self._name or "message") if self._data else None
        is_told = bool(self._data) or self._has_id
        event = ServerSentEvent(name, "\n".join(self._data), self.last_id)
        self._name, self._data, self._has_id = None, [], False
        return event if is_told else None
