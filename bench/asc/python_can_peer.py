# Frames per second that python-can reads from an ASC file and writes to another, by processor
# time, in the best of several rounds. Usage: python_can_peer.py <file> <file to write> <rounds>
import json
import sys
import time

import can

source, target, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])


def read():
    with can.ASCReader(source) as reader:
        return list(reader)


def write(messages):
    writer = can.ASCWriter(target)
    for message in messages:
        writer.on_message_received(message)
    writer.stop()


def best(action):
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        action()
        times.append(time.process_time() - begin)
    return min(times)


messages = read()
print(
    json.dumps(
        {
            "version": can.__version__,
            "frames": len(messages),
            "read": len(messages) / best(read),
            "write": len(messages) / best(lambda: write(messages)),
        }
    )
)
