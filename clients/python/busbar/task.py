"""Transmit task that can be changed while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import records
from .errors import BusbarError
from .values import Value, signal_texts

if TYPE_CHECKING:
    from .bench import Bench, Payload


def micros(seconds: Optional[float]) -> Optional[int]:
    """Whole microseconds."""
    return None if seconds is None else round(seconds * 1e6)


class Task:
    """Transmit task. A ``with`` statement removes it."""

    def __init__(self, bench: "Bench", record: records.TxTask) -> None:
        self.bench = bench
        self.record = record
        """Record from the last change of the task."""

    @property
    def id(self) -> str:
        """ID of the task, such as ``task-1``."""
        return self.record["task_id"]

    def set(
        self,
        *,
        signals: Optional[Mapping[str, Value]] = None,
        raw: Optional[bool] = None,
        data: "Optional[Payload]" = None,
        period: Optional[float] = None,
        enabled: Optional[bool] = None,
        **named: Value,
    ) -> records.TxTask:
        """Changes the next frame. All changes take effect together; other signals keep their values.

        :param signals: Values of signals whose names are no keywords
        :param raw: Whether numbers are raw values
        :param data: Bytes or hex, for a frame that was added with ``offload=False``
        :param period: Cycle time in seconds
        :param enabled: Whether the task sends
        :param named: Values by signal name: numbers or labels
        """
        self.record = self.bench.tx_task_set(
            self.id,
            signals=signal_texts(signals, named) or None,
            raw=raw,
            data=data if data is None or isinstance(data, str) else bytes(data).hex(),
            period_us=micros(period),
            enabled=enabled,
        )
        return self.record

    def pause(self) -> records.TxTask:
        """Stops sending until :meth:`resume`."""
        return self.set(enabled=False)

    def resume(self) -> records.TxTask:
        """Continues a paused task."""
        return self.set(enabled=True)

    def remove(self) -> records.TxTask:
        """Removes the task and returns its final counters."""
        self.record = self.bench.tx_task_remove(self.id)
        return self.record

    def __enter__(self) -> "Task":
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            self.remove()
        except BusbarError as error:
            # A task ends with its channel.
            if error.code != "task_not_found":
                raise
