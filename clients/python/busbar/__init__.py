"""Client of the Busbar bench service: CAN, CAN FD, LIN and Modbus."""

from .bench import Bench
from .channel import Channel
from .checks import CheckFailed, Trace
from .ecu import DidValue, Dtc, Ecu, FunctionalResponse, Response, TesterPresent
from .errors import (
    BusbarError,
    EcuError,
    EcuTimeout,
    NegativeResponse,
    RequestTimeout,
    TransportError,
    Unreachable,
)
from .frames import Frame, Gap, Sample, SignalValue, StateEvent
from .recorder import Recorder
from .streams import Stream, StreamTimeout
from .task import Task

__all__ = [
    "Bench",
    "BusbarError",
    "Channel",
    "CheckFailed",
    "DidValue",
    "Dtc",
    "Ecu",
    "EcuError",
    "EcuTimeout",
    "Frame",
    "FunctionalResponse",
    "Gap",
    "NegativeResponse",
    "Recorder",
    "RequestTimeout",
    "Response",
    "Sample",
    "SignalValue",
    "StateEvent",
    "Stream",
    "StreamTimeout",
    "Task",
    "TesterPresent",
    "Trace",
    "TransportError",
    "Unreachable",
]
