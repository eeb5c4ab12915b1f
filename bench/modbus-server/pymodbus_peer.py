"""pymodbus as a server. Prints its port; ends with its input."""

import asyncio
import socket
import sys
import types

try:
    import serial_asyncio  # noqa: F401
except ImportError:
    # pymodbus imports it for serial lines, even if there are none.
    stand_in = types.ModuleType("serial_asyncio")
    stand_in.create_serial_connection = None
    sys.modules["serial_asyncio"] = stand_in

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server.async_io import ModbusTcpServer


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def main():
    block = ModbusSequentialDataBlock(0, [index + 1 for index in range(int(sys.argv[1]))])
    context = ModbusServerContext(slaves=ModbusSlaveContext(hr=block, zero_mode=True), single=True)
    port = free_port()
    server = ModbusTcpServer(context, address=("127.0.0.1", port))
    serving = asyncio.ensure_future(server.serve_forever())
    while not getattr(server, "server", None):
        if serving.done():
            return serving.result()
        await asyncio.sleep(0.01)
    print(port, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    sys.stdout.flush()
    import os

    os._exit(0)


asyncio.run(main())
