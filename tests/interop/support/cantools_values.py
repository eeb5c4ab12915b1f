"""cantools as a second decoder and encoder: prints payloads of each message of a DBC file, a line each."""
import json
import random
import sys
from decimal import Decimal

import cantools

PAYLOADS = 6
ATTEMPTS = 400


def exact(signal, raw):
    """The physical value in decimal, without the rounding of a float."""
    scale, offset = (Decimal(str(part)) for part in (signal.scale, signal.offset))
    return format(Decimal(raw) * scale + offset, "f")


def row(message, payload):
    raws = message.decode(payload, decode_choices=False, scaling=False)
    if any(raw != raw for raw in raws.values()):
        raise ValueError("not a number")
    values = {}
    for name, raw in raws.items():
        values[name] = [str(raw), exact(message.get_signal_by_name(name), raw)]
    encoded = message.encode(raws, scaling=False, strict=False)
    return {
        "message": message.name,
        "payload": payload.hex().upper(),
        "values": values,
        "encoded": encoded.hex().upper(),
    }


rows = []
chance = random.Random(7)
database = cantools.database.load_file(sys.argv[1], database_format="dbc", strict=False)
for message in database.messages:
    if not message.signals:
        continue
    found = []
    for _ in range(ATTEMPTS):
        # Small bytes select the pages of multiplexed messages.
        limit = chance.choice((4, 16, 256))
        payload = bytes(chance.randrange(limit) for _ in range(message.length))
        try:
            found.append(row(message, payload))
        except Exception:
            continue
        if len(found) == PAYLOADS:
            break
    rows += found
for each in rows:
    print(json.dumps(each))
