"""udsoncan over can-isotp, on frames that come and go as cannelloni datagrams.

Prints `ready <port>`, reads `to <port>`, and then

    client   calls the services of an ECU: a line `call` each, with its payloads
    server   answers requests as udsoncan builds responses: a line `request` each
"""

import json
import os
import socket
import struct
import sys
import threading

import isotp
from udsoncan import AsciiCodec, CommunicationType, DataFormatIdentifier, DidCodec
from udsoncan import MemoryLocation, Request, Response, services
from udsoncan.client import Client
from udsoncan.connections import PythonIsoTpConnection

# Longer than the pauses of a busy machine.
PATIENT = 60
EXTENDED = 1 << 31
FD = 0x80


class Bus:
    """Frames of a channel that a daemon forwards."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.frames = []
        self.sequence = 0
        say("ready", self.socket.getsockname()[1])
        _, port = sys.stdin.readline().split()
        self.peer = ("127.0.0.1", int(port))
        say("ok")

    def receive(self, timeout):
        if not self.frames:
            self.socket.settimeout(max(timeout, 0.001))
            try:
                self.read(self.socket.recv(65536))
            except TimeoutError:
                return None
        return self.frames.pop(0) if self.frames else None

    def read(self, datagram):
        count, at = struct.unpack_from(">H", datagram, 3)[0], 5
        for _ in range(count):
            word, length = struct.unpack_from(">IB", datagram, at)
            at += 6 if length & FD else 5
            length &= ~FD
            data = datagram[at : at + length]
            at += length
            wide = bool(word & EXTENDED)
            self.frames.append(
                isotp.CanMessage(arbitration_id=word & 0x1FFFFFFF, data=data, extended_id=wide)
            )

    def send(self, message):
        word = message.arbitration_id | (EXTENDED if message.is_extended_id else 0)
        frame = struct.pack(">IB", word, len(message.data)) + bytes(message.data)
        head = struct.pack(">BBBH", 2, 0, self.sequence & 0xFF, 1)
        self.sequence += 1
        self.socket.sendto(head + frame, self.peer)


def say(*words):
    print(*words, flush=True)


class PatientEvent(threading.Event):
    """Waits for a thread of can-isotp longer than half a second."""

    def wait(self, timeout=None):
        return super().wait(PATIENT)


def stack(bus, own, other):
    address = isotp.Address(isotp.AddressingMode.Normal_11bits, txid=own, rxid=other)
    params = {
        "stmin": 0,
        "blocksize": 4,
        "tx_padding": 0xAA,
        "rx_flowcontrol_timeout": PATIENT * 1000,
        "rx_consecutive_frame_timeout": PATIENT * 1000,
    }
    layer = isotp.TransportLayer(rxfn=bus.receive, txfn=bus.send, address=address, params=params)
    layer.events.main_thread_ready = PatientEvent()
    layer.events.relay_thread_ready = PatientEvent()
    return layer


class Recorded(PythonIsoTpConnection):
    """Keeps the payloads of the last call."""

    def __init__(self, layer):
        super().__init__(layer)
        self.sent, self.received = [], []

    def specific_send(self, payload, timeout=None):
        self.sent.append(payload.hex().upper())
        super().specific_send(payload, timeout)

    def specific_wait_frame(self, timeout=None):
        payload = super().specific_wait_frame(timeout)
        if payload is not None:
            self.received.append(bytes(payload).hex().upper())
        return payload


class Bytes(DidCodec):
    def __init__(self, length):
        self.length = length

    def encode(self, value):
        return value

    def decode(self, payload):
        return payload

    def __len__(self):
        return self.length


CONFIG = {
    "exception_on_negative_response": False,
    "request_timeout": PATIENT,
    "p2_timeout": PATIENT,
    "p2_star_timeout": PATIENT,
    "use_server_timing": False,
    "server_address_format": 32,
    "server_memorysize_format": 32,
    "security_algo": lambda level, seed, params=None: bytes.fromhex("CAFEBABE"),
    "data_identifiers": {0xF190: AsciiCodec(17), 0x0101: Bytes(1), 0x0102: Bytes(300)},
    "input_output": {0x0101: Bytes(1)},
    "extended_data_size": {0x030100: 1},
}


def calls(client):
    """All services that a simulated ECU has."""
    place = MemoryLocation(0x08000000, 256, 32, 32)
    word = MemoryLocation(0x08000010, 4, 32, 32)
    normal = CommunicationType(subnet=0, normal_msg=True)
    yield "read", lambda: client.read_data_by_identifier([0xF190, 0x0101])
    yield "read long", lambda: client.read_data_by_identifier(0x0102)
    yield "write refused", lambda: client.write_data_by_identifier(0xF190, "WBABUSBAR00000002")
    yield "session", lambda: client.change_session(3)
    yield "tester present", lambda: client.tester_present()
    yield "security", lambda: client.unlock_security_access(1)
    yield "write", lambda: client.write_data_by_identifier(0xF190, "WBABUSBAR00000002")
    yield "write long", lambda: client.write_data_by_identifier(0x0102, bytes(range(150)) * 2)
    yield "read again", lambda: client.read_data_by_identifier(0xF190)
    yield "DTC count", lambda: client.get_number_of_dtc_by_status_mask(0xFF)
    yield "DTCs", lambda: client.get_dtc_by_status_mask(0xFF)
    yield "DTCs supported", lambda: client.get_supported_dtc()
    yield "DTC snapshot", lambda: client.get_dtc_snapshot_by_dtc_number(0x030100)
    yield "DTC extended data", lambda: client.get_dtc_extended_data_by_dtc_number(0x030100)
    yield "DTC setting", lambda: client.control_dtc_setting(2)
    yield "clear", lambda: client.clear_dtc()
    yield "DTCs cleared", lambda: client.get_dtc_by_status_mask(0xFF)
    yield "communication", lambda: client.communication_control(3, normal)
    yield "io", lambda: client.io_control(0x0101, control_param=3, values=[b"\x77"])
    yield "io return", lambda: client.io_control(0x0101, control_param=0)
    yield "routine", lambda: client.start_routine(0x0203, b"\xaa")
    yield "routine result", lambda: client.get_routine_result(0x0203)
    yield "routine stop", lambda: client.stop_routine(0x0203)
    yield "routine unknown", lambda: client.start_routine(0x0999)
    yield "download", lambda: client.request_download(place, DataFormatIdentifier(0, 0))
    yield "transfer", lambda: client.transfer_data(1, bytes(range(256)))
    yield "transfer exit", lambda: client.request_transfer_exit()
    yield "memory read", lambda: client.read_memory_by_address(word)
    yield "memory write", lambda: client.write_memory_by_address(word, b"\x01\x02\x03\x04")
    yield "upload", lambda: client.request_upload(place, DataFormatIdentifier(0, 0))
    yield "reset", lambda: client.ecu_reset(1)


def call_all(bus):
    connection = Recorded(stack(bus, 0x7E0, 0x7E8))
    with Client(connection, config=CONFIG) as client:
        for name, call in calls(client):
            connection.sent, connection.received = [], []
            response = call()
            code = "" if response is None else response.code_name
            record = {"call": name, "sent": connection.sent, "received": connection.received}
            say("call", json.dumps({**record, "code": code}))
    say("end")


ANSWERS = {
    # P2 and P2* of a minute: they replace those of the link.
    services.DiagnosticSessionControl: lambda data: data[:1] + bytes.fromhex("EA601770"),
    services.ECUReset: lambda data: data[:1],
    services.ClearDiagnosticInformation: lambda data: b"",
    services.ReadDTCInformation: lambda data: data[:1] + bytes.fromhex("FF0301002FC1000008"),
    services.ReadDataByIdentifier: lambda data: data[:2] + b"WBABUSBAR00000001",
    services.ReadMemoryByAddress: lambda data: bytes(range(64)),
    services.SecurityAccess: lambda data: data[:1] + (b"\xde\xad\xbe\xef" if data[0] % 2 else b""),
    services.CommunicationControl: lambda data: data[:1],
    services.WriteDataByIdentifier: lambda data: data[:2],
    services.InputOutputControlByIdentifier: lambda data: data,
    services.RoutineControl: lambda data: data[:3] + b"\xff",
    services.RequestDownload: lambda data: bytes.fromhex("200102"),
    services.TransferData: lambda data: data[:1],
    services.RequestTransferExit: lambda data: b"",
    services.WriteMemoryByAddress: lambda data: data[:9],
    services.TesterPresent: lambda data: data[:1],
    services.ControlDTCSetting: lambda data: data[:1],
}


def parameters(payload, request):
    return payload[1:] if request.subfunction is None else bytes([payload[1] & 0x7F]) + payload[2:]


def serve(bus):
    layer = stack(bus, 0x7E8, 0x7E0)
    layer.start()
    while True:
        payload = layer.recv(block=True, timeout=1)
        if payload is None:
            continue
        payload = bytes(payload)
        request = Request.from_payload(payload)
        say("request", payload.hex().upper(), request.service.__name__)
        if request.service not in ANSWERS:
            layer.send(Response(request.service, Response.Code.ServiceNotSupported).get_payload())
            continue
        if request.service is services.RoutineControl:
            pending = Response.Code.RequestCorrectlyReceived_ResponsePending
            layer.send(Response(request.service, pending).get_payload())
        if request.suppress_positive_response:
            continue
        data = ANSWERS[request.service](parameters(payload, request))
        positive = Response(request.service, Response.Code.PositiveResponse, data)
        layer.send(positive.get_payload())


def end_with_test():
    sys.stdin.read()
    os._exit(0)


def main():
    bus = Bus()
    if sys.argv[1] == "client":
        call_all(bus)
    else:
        threading.Thread(target=end_with_test, daemon=True).start()
        serve(bus)


main()
