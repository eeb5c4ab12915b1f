"""Parse time of cantools for a file: milliseconds of each round, as JSON."""
import json
import sys
import time

import cantools.database

times = []
signals = 0
for _ in range(3):
    start = time.perf_counter()
    database = cantools.database.load_file(sys.argv[1], strict=False, database_format="dbc")
    times.append((time.perf_counter() - start) * 1000)
    signals = sum(len(message.signals) for message in database.messages)
print(json.dumps({"times": times, "signals": signals}))
