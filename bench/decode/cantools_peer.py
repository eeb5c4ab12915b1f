"""Times cantools: nanoseconds for each frame as JSON. Arguments: DBC file, then payload files."""

import json
import sys
import time

import cantools

database = cantools.database.load_file(sys.argv[1], strict=False)


def time_of(message, frames, scaling):
    start = time.perf_counter_ns()
    for frame in frames:
        message.decode(frame, decode_choices=False, scaling=scaling)
    return (time.perf_counter_ns() - start) / len(frames)


results = {}
for message, path in zip(database.messages, sys.argv[2:]):
    with open(path, "rb") as file:
        payloads = file.read()
    size = message.length
    frames = [payloads[at : at + size] for at in range(0, len(payloads), size)]
    results[message.name] = {
        "raw": time_of(message, frames, False),
        "physical": time_of(message, frames, True),
    }
print(json.dumps(results))
