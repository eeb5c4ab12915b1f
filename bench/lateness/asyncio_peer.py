"""A 1 ms periodic task on asyncio, measured as the others are: lateness against an exact grid."""

import asyncio
import json
import math
import sys

PERIOD = 0.001
WARM_UP = 400


async def main(wanted: int) -> None:
    loop = asyncio.get_running_loop()
    samples = []
    missed = 0
    due = loop.time() + PERIOD
    for count in range(-WARM_UP, wanted):
        while (now := loop.time()) < due:
            await asyncio.sleep(due - now)
        skipped = int((now - due) / PERIOD)
        if count >= 0:
            samples.append((now - due) * 1e6)
            missed += skipped
        due += (skipped + 1) * PERIOD
    samples.sort()

    def quantile(share: float) -> float:
        return samples[math.ceil(share * wanted) - 1]

    print(json.dumps({"p50": quantile(0.5), "p99": quantile(0.99), "missed": missed}))


asyncio.run(main(int(sys.argv[1])))
