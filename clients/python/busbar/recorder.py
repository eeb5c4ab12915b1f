"""Recorder that runs while a block does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import records
from .errors import BusbarError

if TYPE_CHECKING:
    from .bench import Bench


class Recorder:
    """Recorder of a bench. A ``with`` statement starts it, and stops and removes it at the end. Its files stay."""

    def __init__(self, bench: "Bench", record: records.Recorder) -> None:
        self.bench = bench
        self.record = record
        """Record from the last call."""

    @property
    def name(self) -> str:
        """Name of the recorder."""
        return self.record["name"]

    def show(self) -> records.Recorder:
        """State, counters and latest files."""
        self.record = self.bench.recorder_show(self.name)
        return self.record

    def start(self) -> records.Recorder:
        """Starts recording; with a start condition, the recorder is armed then."""
        self.record = self.bench.recorder_start(self.name)
        return self.record

    def stop(self) -> records.Recorder:
        """Stops recording and completes the file."""
        self.record = self.bench.recorder_stop(self.name)
        return self.record

    def remove(self) -> records.Recorder:
        """Removes the recorder and returns its last record."""
        self.record = self.bench.recorder_remove(self.name)
        return self.record

    def __enter__(self) -> "Recorder":
        try:
            self.start()
        except BusbarError:
            self.remove()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            self.stop()
            self.remove()
        except BusbarError as error:
            # It ends with the daemon.
            if error.code != "recorder_not_found":
                raise
