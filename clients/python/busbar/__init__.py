"""Client of the Busbar bench service: CAN, CAN FD, LIN and Modbus."""

from .bench import Bench
from .channel import Channel
from .errors import BusbarError, RequestTimeout, Unreachable
from .frames import Frame, Gap, Sample, SignalValue, StateEvent
from .streams import Stream, StreamTimeout
from .task import Task

__all__ = [
    "Bench",
    "BusbarError",
    "Channel",
    "Frame",
    "Gap",
    "RequestTimeout",
    "Sample",
    "SignalValue",
    "StateEvent",
    "Stream",
    "StreamTimeout",
    "Task",
    "Unreachable",
]
