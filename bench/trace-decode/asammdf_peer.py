"""Extracts the signals of an MF4 bus log with asammdf and writes them as CSV, a file a message.

Arguments: DBC file, trace, output. Prints frames, samples and processor seconds as JSON: `extracted`
until the raw values are in memory, `seconds` until the scaled ones are in files.
"""

import json
import sys
import time

from asammdf import MDF, __version__

start = time.process_time()
with MDF(sys.argv[2]) as trace:
    signals = trace.extract_bus_logging(database_files={"CAN": [(sys.argv[1], 0)]})
    extracted = time.process_time() - start
    signals.export("csv", filename=sys.argv[3], single_time_base=False)
    seconds = time.process_time() - start
frames = sum(group.channel_group.cycles_nr for group in signals.groups)
samples = sum(group.channel_group.cycles_nr * (len(group.channels) - 1) for group in signals.groups)
print(json.dumps({"frames": frames, "samples": samples, "extracted": extracted, "seconds": seconds,
                  "version": __version__}))
