"""python-can replaying a candump log on its virtual bus, measured like ours: how far from its time
each frame was handed over."""

import json
import math
import sys
import time

import can

file = sys.argv[1]
deviations = []
bus = can.Bus(interface="virtual", channel="replay")
first = None
for message in can.MessageSync(can.LogReader(file)):
    bus.send(message)
    now = time.perf_counter()
    if first is None:
        first = (now, message.timestamp)
    due = first[0] + (message.timestamp - first[1])
    deviations.append(abs(now - due) * 1e6)
bus.shutdown()
deviations.sort()


def quantile(share: float) -> float:
    return deviations[math.ceil(share * len(deviations)) - 1]


print(
    json.dumps(
        {
            "frames": len(deviations),
            "p50": quantile(0.5),
            "p99": quantile(0.99),
            "max": deviations[-1],
        }
    )
)
