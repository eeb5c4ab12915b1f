"""Open channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from . import records
from .frames import Frame, Gap
from .streams import Stream

if TYPE_CHECKING:
    from .bench import Bench, Payload


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

    def send(self, id: int, data: "Payload" = b"", **fields: Any) -> records.SendResult:
        """Sends a frame on this channel; see :meth:`Bench.send`."""
        return self.bench.send(self.selector, id, data, **fields)

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
