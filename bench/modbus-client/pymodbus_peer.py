"""Reads ten registers again and again with pymodbus: for each line of input so often, and then
prints the rate. Usage: pymodbus_peer.py <port> <requests>
"""

import sys
import time
import types

try:
    import serial_asyncio  # noqa: F401
except ImportError:
    # Imported by the client module, for serial lines, which are not used here.
    sys.modules["serial_asyncio"] = types.SimpleNamespace(create_serial_connection=None)

from pymodbus.client import ModbusTcpClient

port, requests = map(int, sys.argv[1:3])
client = ModbusTcpClient("127.0.0.1", port=port)
client.connect()
for _ in sys.stdin:
    start = time.perf_counter()
    for _ in range(requests):
        answer = client.read_holding_registers(0, 10, slave=1)
        assert answer.registers[9] == 1009
    print(requests / (time.perf_counter() - start), flush=True)
