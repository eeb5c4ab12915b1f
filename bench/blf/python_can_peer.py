"""python-can peer. write <file> <frames>: writes a log; read <file>: prints its processor time."""
import json
import sys
import time

import can

action, path = sys.argv[1:3]
if action == "write":
    writer = can.BLFWriter(path)
    for at in range(int(sys.argv[3])):
        is_fd = at % 5 == 4
        length = 64 if is_fd else 8
        writer.on_message_received(
            can.Message(
                timestamp=1_700_000_000 + at * 1e-4,
                arbitration_id=0x100 + at % 200,
                is_extended_id=False,
                is_fd=is_fd,
                bitrate_switch=is_fd,
                is_rx=at % 3 != 0,
                channel=at % 2,
                data=bytes((at * 7 + i * 13) >> (i & 3) & 0xFF for i in range(length)),
            )
        )
    writer.stop()
else:
    frames = 0
    length = 0
    start = time.process_time()
    for message in can.BLFReader(path):
        frames += 1
        length += len(message.data)
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "frames": frames, "bytes": length}))
