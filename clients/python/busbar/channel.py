"""An open channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from . import records
from .frames import Frame, Gap
from .streams import Stream

if TYPE_CHECKING:
    from .bench import Bench, Payload


class Channel:
    """A channel of a bench, by its stable selector. In a ``with`` statement it is closed at the end."""

    def __init__(self, bench: "Bench", record: records.Channel) -> None:
        self.bench = bench
        self.record = record
        """As it was opened."""

    @property
    def selector(self) -> str:
        """The port, such as ``SIM00001/0``."""
        return self.record["selector"]

    @property
    def slot(self) -> int:
        """Its number while it is open, as frames of the binary stream tell it."""
        return self.record["slot"]

    def send(self, id: int, data: "Payload" = b"", **fields: Any) -> records.SendResult:
        """Sends a frame here; see :meth:`Bench.send`."""
        return self.bench.send(self.selector, id, data, **fields)

    def frames(self, **options: Any) -> Stream[Union[Frame, Gap]]:
        """Frames of this channel; see :meth:`Bench.frames`."""
        return self.bench.frames(self.selector, **options)

    def stats(self) -> records.ChannelStats:
        """Its counters."""
        return self.bench.channel_stats(self.selector)

    def close(self) -> records.Channel:
        """Closes it."""
        return self.bench.channel_close(self.selector)

    def __enter__(self) -> "Channel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
