"""Reads ten registers again and again with pymodbus, and prints the rate of
the best window. Usage: pymodbus_peer.py <port> <requests of a window> <windows>
"""

import json
import sys
import time
import types

import pymodbus

try:
    import serial_asyncio  # noqa: F401
except ImportError:
    # Wanted by the import of the clients for serial lines, which nobody makes here.
    sys.modules["serial_asyncio"] = types.SimpleNamespace(create_serial_connection=None)

from pymodbus.client import ModbusTcpClient

port, requests, windows = map(int, sys.argv[1:4])
client = ModbusTcpClient("127.0.0.1", port=port)
client.connect()
rate = 0
for _ in range(windows):
    start = time.perf_counter()
    for _ in range(requests):
        answer = client.read_holding_registers(0, 10, slave=1)
        assert answer.registers[9] == 1009
    rate = max(rate, requests / (time.perf_counter() - start))
print(json.dumps({"name": "pymodbus", "version": str(pymodbus.__version__), "rate": rate}))
