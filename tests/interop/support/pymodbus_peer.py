"""pymodbus as the other side of a link. Every line that comes in is a call, and is answered with one
line: "ok" and what was read, "exception" and its code, or "failed" and why.

client tcp|rtu-tcp <port> | client rtu|ascii <device>
server tcp|rtu-tcp | server rtu|ascii <device>
"""
import asyncio
import logging
import os
import sys
import types

import serial

UNIT = 1
ITEMS = 3000
SERIAL = {
    "rtu": {"baudrate": 19200, "bytesize": 8, "parity": "E", "stopbits": 1},
    "ascii": {"baudrate": 19200, "bytesize": 7, "parity": "E", "stopbits": 1},
}


class SerialTransport(asyncio.Transport):
    """The part of pyserial-asyncio that pymodbus needs; it is not installed everywhere."""

    def __init__(self, loop, protocol, port):
        super().__init__()
        self._loop, self._protocol, self.serial = loop, protocol, port
        loop.call_soon(protocol.connection_made, self)
        loop.call_soon(loop.add_reader, port.fileno(), self._read)

    def _read(self):
        if data := os.read(self.serial.fileno(), 1024):
            self._protocol.data_received(data)

    def write(self, data):
        self.serial.write(data)

    def close(self):
        self._loop.remove_reader(self.serial.fileno())
        self.serial.close()

    abort = close


async def create_serial_connection(loop, factory, url, **settings):
    settings["timeout"] = 0
    protocol = factory()
    return SerialTransport(loop, protocol, serial.serial_for_url(url, **settings)), protocol


stand_in = types.ModuleType("serial_asyncio")
stand_in.create_serial_connection = create_serial_connection
sys.modules["serial_asyncio"] = stand_in

from pymodbus.client import ModbusSerialClient, ModbusTcpClient  # noqa: E402
from pymodbus.constants import Endian  # noqa: E402
from pymodbus.datastore import (  # noqa: E402
    ModbusSequentialDataBlock,
    ModbusServerContext,
    ModbusSlaveContext,
)
from pymodbus.device import ModbusDeviceIdentification  # noqa: E402
from pymodbus.framer.ascii_framer import ModbusAsciiFramer  # noqa: E402
from pymodbus.framer.rtu_framer import ModbusRtuFramer  # noqa: E402
from pymodbus.framer.socket_framer import ModbusSocketFramer  # noqa: E402
from pymodbus.mei_message import ReadDeviceInformationRequest  # noqa: E402
from pymodbus.payload import BinaryPayloadBuilder, BinaryPayloadDecoder  # noqa: E402
from pymodbus.server.async_io import ModbusSerialServer, ModbusTcpServer  # noqa: E402

FRAMERS = {"rtu": ModbusRtuFramer, "ascii": ModbusAsciiFramer}
STREAM_FRAMERS = {"tcp": ModbusSocketFramer, "rtu-tcp": ModbusRtuFramer}
ORDERS = {
    "ABCD": {"byteorder": Endian.Big, "wordorder": Endian.Big},
    "CDAB": {"byteorder": Endian.Big, "wordorder": Endian.Little},
    "BADC": {"byteorder": Endian.Little, "wordorder": Endian.Big},
    "DCBA": {"byteorder": Endian.Little, "wordorder": Endian.Little},
}
TYPES = {
    "u16": ("16bit_uint", int),
    "s16": ("16bit_int", int),
    "u32": ("32bit_uint", int),
    "s32": ("32bit_int", int),
    "u64": ("64bit_uint", int),
    "s64": ("64bit_int", int),
    "f32": ("32bit_float", float),
    "f64": ("64bit_float", float),
}


def say(*words):
    print(*words, flush=True)


def filled_context():
    """Inputs of a server; the test uses the same formulas."""
    unit = ModbusSlaveContext(
        di=ModbusSequentialDataBlock(0, [i % 3 == 0 for i in range(ITEMS)]),
        co=ModbusSequentialDataBlock(0, [False] * ITEMS),
        ir=ModbusSequentialDataBlock(0, [i * 7919 & 0xFFFF for i in range(ITEMS)]),
        hr=ModbusSequentialDataBlock(0, [0] * ITEMS),
        zero_mode=True,
    )
    return ModbusServerContext(slaves={UNIT: unit}, single=False)


IDENTITY = ModbusDeviceIdentification(
    info_name={"VendorName": "Pymodbus", "ProductCode": "PM", "MajorMinorRevision": "3.0"}
)


async def serve(kind, where):
    if kind in STREAM_FRAMERS:
        server = ModbusTcpServer(
            filled_context(),
            framer=STREAM_FRAMERS[kind],
            identity=IDENTITY,
            address=("127.0.0.1", 0),
        )
        serving = asyncio.ensure_future(server.serve_forever())
        await server.serving
        say("ready", server.server.sockets[0].getsockname()[1])
        await serving
        return
    server = ModbusSerialServer(
        filled_context(),
        framer=FRAMERS[kind],
        identity=IDENTITY,
        port=where,
        ignore_missing_slaves=True,
        **SERIAL[kind],
    )
    await server.start()
    # After the transport has been set up.
    await asyncio.sleep(0)
    say("ready")
    await server.serve_forever()


class Calls:
    def __init__(self, client):
        self._client = client

    def read(self, function, address, count):
        calls = {
            1: self._client.read_coils,
            2: self._client.read_discrete_inputs,
            3: self._client.read_holding_registers,
            4: self._client.read_input_registers,
        }
        function, count = int(function), int(count)
        answer = self._good(calls[function](int(address), count, slave=UNIT))
        # Bits are padded to a whole byte.
        return [int(bit) for bit in answer.bits[:count]] if function < 3 else answer.registers

    def write(self, function, address, *items):
        items = [int(item) for item in items]
        call, value = {
            5: (self._client.write_coil, bool(items[0])),
            6: (self._client.write_register, items[0]),
            15: (self._client.write_coils, [bool(item) for item in items]),
            16: (self._client.write_registers, items),
        }[int(function)]
        self._good(call(int(address), value, slave=UNIT))
        return []

    def mask(self, address, and_mask, or_mask):
        self._good(
            self._client.mask_write_register(int(address), int(and_mask), int(or_mask), unit=UNIT)
        )
        return []

    def readwrite(self, address, count, write_address, *items):
        answer = self._client.readwrite_registers(
            read_address=int(address),
            read_count=int(count),
            write_address=int(write_address),
            write_registers=[int(item) for item in items],
            unit=UNIT,
        )
        return self._good(answer).registers

    def identify(self, code, first):
        request = ReadDeviceInformationRequest(int(code), int(first), unit=UNIT)
        objects = self._good(self._client.execute(request)).information
        return [f"{number}={value.hex()}" for number, value in sorted(objects.items())]

    def value(self, kind, order, address):
        name, _ = TYPES[kind]
        registers = self._good(self._client.read_holding_registers(int(address), 4, slave=UNIT))
        decoder = BinaryPayloadDecoder.fromRegisters(registers.registers, **ORDERS[order])
        return [repr(getattr(decoder, f"decode_{name}")())]

    def put(self, kind, order, address, text):
        name, parse = TYPES[kind]
        builder = BinaryPayloadBuilder(**ORDERS[order])
        getattr(builder, f"add_{name}")(parse(text))
        registers = builder.to_registers()
        self._good(self._client.write_registers(int(address), registers, slave=UNIT))
        return []

    @staticmethod
    def _good(answer):
        if not answer.isError():
            return answer
        code = getattr(answer, "exception_code", None)
        raise Refused(f"failed {answer}" if code is None else f"exception {code}")


class Refused(Exception):
    """The error of the unit, or of pymodbus itself."""


def call(kind, where):
    if kind in STREAM_FRAMERS:
        framer = STREAM_FRAMERS[kind]
        client = ModbusTcpClient("127.0.0.1", port=int(where), framer=framer, timeout=10)
    else:
        # In strict mode it would monitor gaps between bytes, which a pseudo terminal does not
        # support.
        client = ModbusSerialClient(
            where, framer=FRAMERS[kind], timeout=10, strict=False, **SERIAL[kind]
        )
    if not client.connect():
        sys.exit("no connection")
    calls = Calls(client)
    say("ready")
    for line in sys.stdin:
        name, *words = line.split()
        try:
            say("ok", *getattr(calls, name)(*words))
        except Refused as refusal:
            say(refusal)
        except Exception as failure:  # The test reports any error.
            say("failed", repr(failure))
    client.close()


logging.disable(logging.CRITICAL)
role, link, *rest = sys.argv[1:]
if role == "server":
    asyncio.run(serve(link, *(rest or [""])))
else:
    call(link, *rest)
