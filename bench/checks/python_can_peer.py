"""The checks of the benchmark as a loop over python-can. Argument: trace. Prints JSON."""

import json
import sys
import time

import can

CYCLE = {0x100 + index: None for index in range(6)}
COUNTER = {0x100 + index: None for index in (6, 7, 8)}
E2E = {0x100 + index: None for index in (9, 10)}
VALUE = {0x100 + index for index in (11, 12, 13)}
violations = frames = 0
silent = first = waiting = None
busy = 0
second = 0
start = time.process_time()
for frame in can.BLFReader(sys.argv[1]):
    frames += 1
    at = frame.timestamp
    ident = frame.arbitration_id
    data = frame.data
    if second == 0:
        second = at
    if at - second >= 1:
        violations += busy > 0.95
        second, busy = at, 0
    busy += (47 + 8 * len(data)) / 2e6
    if ident in CYCLE:
        last = CYCLE[ident]
        violations += last is not None and not 0.0018 <= at - last <= 0.0022
        CYCLE[ident] = at
    elif ident in COUNTER:
        last = COUNTER[ident]
        count = data[1] & 15
        violations += last is not None and count != (last + 1) % 15
        COUNTER[ident] = count
    elif ident in E2E:
        last = E2E[ident]
        count = data[1] & 15
        violations += last is not None and count != (last + 1) % 15
        checksum = 0
        for byte in data:
            checksum ^= byte
        violations += checksum != 0
        E2E[ident] = count
    elif ident in VALUE:
        violations += not 0 <= int.from_bytes(data[2:4], "little") * 0.01 <= 655.35
    elif ident == 0x10E:
        violations += (int.from_bytes(data[4:6], "little") & 0xFFF) * 0.5 > 1023
    elif ident == 0x10F:
        violations += silent is not None and at - silent > 0.02
        silent = at
    elif ident == 0x110:
        first = at
    elif ident == 0x111:
        violations += first is None or at - first > 0.001
        first = None
    elif ident == 0x7E0 and data[:2] == b"\x03\x22":
        waiting = at
    elif ident == 0x7E8 and data[1] == 0x62:
        violations += waiting is None or at - waiting > 0.005
        waiting = None
seconds = time.process_time() - start
print(json.dumps({"frames": frames, "seconds": seconds, "violations": violations,
                  "versions": f"python-can {can.__version__}"}))
