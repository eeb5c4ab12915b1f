"""The identifiers of the frames in each file that is named, as python-can reads it: one line for a file. "cut" is at
its end if python-can raises an error after the last whole record."""
import shutil
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import can

ending, *paths = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    for path in paths:
        # It knows the format by the name alone.
        copy = Path(folder) / f"copy{ending}"
        shutil.copyfile(path, copy)
        found = []
        with can.LogReader(copy) as reader:
            try:
                for message in reader:
                    found.append(message.arbitration_id)
            except (ValueError, IndexError, struct.error, zlib.error):
                found.append("cut")
        print(*found)
