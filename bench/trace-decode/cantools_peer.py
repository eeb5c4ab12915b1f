"""Decodes a trace with python-can and cantools into a long CSV table.

Arguments: DBC file, trace, output. Prints frames, processor seconds and elapsed seconds as JSON.
"""

import csv
import json
import sys
import time

import can
import cantools
from cantools.database import utils

database = cantools.database.load_file(sys.argv[1])
frames = 0
start = time.process_time()
begin = time.perf_counter()
with open(sys.argv[3], "w", newline="") as output:
    table = csv.writer(output)
    table.writerow(["time", "channel", "message", "signal", "value"])
    for frame in can.LogReader(sys.argv[2]):
        frames += 1
        try:
            message = database.get_message_by_frame_id(frame.arbitration_id)
        except KeyError:
            continue
        for name, value in message.decode(frame.data).items():
            table.writerow([frame.timestamp, frame.channel, message.name, name, value])
print(json.dumps({"frames": frames, "seconds": time.process_time() - start,
                  "elapsed": time.perf_counter() - begin,
                  "versions": f"python-can {can.__version__}",
                  "bits": "C" if hasattr(utils.bitstruct, "c") else "Python"}))
