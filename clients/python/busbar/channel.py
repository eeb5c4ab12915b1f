"""Open channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Union

from . import records
from .frames import Frame, Gap
from .streams import Stream
from .task import Task
from .values import Payload

if TYPE_CHECKING:
    from .bench import Bench


class Channel:
    """Channel of a bench, by its stable selector. A ``with`` statement closes it."""

    def __init__(self, bench: "Bench", record: records.Channel) -> None:
        self.bench = bench
        self.record = record
        """Record from opening the channel."""

    @property
    def selector(self) -> str:
        """Port, such as ``SIM00001/0``."""
        return self.record["selector"]

    @property
    def slot(self) -> int:
        """Slot number, as in frames of the binary stream."""
        return self.record["slot"]

    def send(
        self, id: Union[int, str], data: Payload = b"", **fields: Any
    ) -> records.SendResult:
        """Sends a frame, or a message by name: ``send("Engine", EngineSpeed=780)``; see :meth:`Bench.send`."""
        return self.bench.send(self.selector, id, data, **fields)

    def cyclic(self, id: Union[int, str], data: Payload = b"", **fields: Any) -> Task:
        """Sends cyclically on this channel; see :meth:`Bench.cyclic`."""
        return self.bench.cyclic(self.selector, id, data, **fields)

    def rest_bus(self, database: str, node: Optional[str] = None) -> Dict[str, Task]:
        """Sends periodic messages on this channel; see :meth:`Bench.rest_bus`."""
        return self.bench.rest_bus(self.selector, database, node)

    def attach(self, database: str) -> records.Channel:
        """Attaches a loaded database, which describes the messages of this channel."""
        self.record = self.bench.database_attach(self.selector, database)
        return self.record

    def detach(self, database: str) -> records.Channel:
        """Detaches a database."""
        self.record = self.bench.database_detach(self.selector, database)
        return self.record

    def frames(self, **options: Any) -> Stream[Union[Frame, Gap]]:
        """Frames of this channel; see :meth:`Bench.frames`."""
        return self.bench.frames(self.selector, **options)

    def stats(self) -> records.ChannelStats:
        """Counters of the channel."""
        return self.bench.channel_stats(self.selector)

    def close(self) -> records.Channel:
        """Closes the channel."""
        return self.bench.channel_close(self.selector)

    def __enter__(self) -> "Channel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
