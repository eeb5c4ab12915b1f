"""python-can peer. write <file> <frames>: writes a log and prints its processor time; read <file>: prints its processor time."""
import json
import sys
import time

from can import Message
from can.io.mf4 import MF4Reader, MF4Writer

action, path = sys.argv[1:3]
if action == "write":
    count = int(sys.argv[3])
    messages = []
    for at in range(count):
        is_fd = at % 5 == 4
        length = 64 if is_fd else 8
        messages.append(
            Message(
                timestamp=1_700_000_000 + at * 1e-4,
                arbitration_id=0x100 + at % 200,
                is_extended_id=False,
                is_fd=is_fd,
                bitrate_switch=is_fd,
                is_rx=at % 3 != 0,
                channel=1 + at % 2,
                data=bytes((at * 7 + i * 13) >> (i & 3) & 0xFF for i in range(length)),
            )
        )
    writer = MF4Writer(path, compression_level=0)
    start = time.process_time()
    for message in messages:
        writer.on_message_received(message)
    writer.stop()
    print(json.dumps({"seconds": time.process_time() - start, "frames": count}))
else:
    frames = 0
    length = 0
    start = time.process_time()
    for message in MF4Reader(path):
        frames += 1
        length += len(message.data)
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "frames": frames, "bytes": length}))
