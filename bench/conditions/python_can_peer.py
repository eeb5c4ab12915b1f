"""Counts how often the conditions of measure.ts fire in a BLF file, as a loop over python-can.

Arguments: BLF file, number of conditions (0, 1 or 10). Prints frames, processor seconds and
counts as JSON.
"""

import json
import sys
import time

import can

path, count = sys.argv[1], int(sys.argv[2])
fired = [0] * count
frames = 0
begin = time.process_time()
speed = gear = pressure = None
fast = braking = False
silent_from = None
last_140 = last_141 = float("-inf")
for message in can.LogReader(path):
    frames += 1
    if count == 0:
        continue
    number, data = message.arbitration_id, message.data
    if count == 1:
        if number == 0x100:
            now_fast = (data[0] | data[1] << 8) * 0.25 > 3000
            if now_fast and not fast:
                fired[0] += 1
            fast = now_fast
        continue
    now = message.timestamp
    if silent_from is not None and now - silent_from >= 0.02 - 1e-7:
        fired[3] += 1
        silent_from = None
    if message.is_error_frame:
        fired[5] += 1
        continue
    if number == 0x100:
        now_fast = (data[0] | data[1] << 8) * 0.25 > 3000
        if now_fast and not fast:
            fired[0] += 1
        fast = now_fast
        now_gear = data[2] & 0x0F
        if gear is not None and now_gear != gear:
            fired[2] += 1
        gear = now_gear
    elif number == 0x101:
        now_pressure = data[0] << 4 | data[1] >> 4
        if pressure is not None and now_pressure != pressure:
            fired[9] += 1
        pressure = now_pressure
    if number == 0x123 and data[1] == 0xFF:
        fired[1] += 1
    if 0x120 <= number <= 0x12F and fast:
        fired[4] += 1
    if number == 0x130:
        silent_from = now
    if number == 0x140:
        last_140 = now
        if now - last_141 <= 0.0005 + 1e-7:
            fired[6] += 1
    elif number == 0x141:
        last_141 = now
        if now - last_140 <= 0.0005 + 1e-7:
            fired[6] += 1
    now_braking = pressure is not None and pressure <= 100 and gear != 0
    if now_braking and not braking:
        fired[7] += 1
    braking = now_braking
    if number & 0x7F0 == 0x150:
        fired[8] += 1
    if number == 0x160:
        fired[9] += 1
print(json.dumps({"frames": frames, "seconds": time.process_time() - begin, "fired": fired,
                  "version": can.__version__}))
