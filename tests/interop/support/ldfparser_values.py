"""ldfparser as a second decoder and encoder: prints payloads of each frame of an LDF, a line each."""
import json
import random
import sys
from decimal import Decimal

import ldfparser
from ldfparser.encoding import LogicalValue, PhysicalValue

PAYLOADS = 40


def shown(signal, raw):
    """Label or exact value of the first converter that accepts the raw value; None without one."""
    encoding = signal.encoding_type
    for converter in encoding.get_converters() if encoding else []:
        try:
            decoded = converter.decode(raw, signal)
        except ValueError:
            continue
        if isinstance(converter, LogicalValue):
            return {"label": decoded}
        if isinstance(converter, PhysicalValue):
            scale, offset = Decimal(str(converter.scale)), Decimal(str(converter.offset))
            return {"value": format(raw * scale + offset, "f")}
        return {"value": str(decoded)}
    return {}


def number(raw):
    return int.from_bytes(bytes(raw), "little") if isinstance(raw, list) else raw


def payload_of(frame, chance):
    data = bytearray(chance.randrange(256) for _ in range(frame.length))
    raws = frame.decode_raw(data)
    for name in raws:
        encoding = frame._get_signal(name).encoding_type
        if encoding and encoding.name == "Decimal":
            raws[name] = [chance.randrange(10) for _ in raws[name]]
        if encoding and encoding.name == "Text":
            raws[name] = [chance.randrange(33, 127) for _ in raws[name]]
    return bytearray(frame.encode_raw(raws))


chance = random.Random(11)
ldf = ldfparser.parse_ldf(sys.argv[1], pad_with_zero=False)
for frame in ldf.get_unconditional_frames():
    for _ in range(PAYLOADS):
        payload = payload_of(frame, chance)
        raws = frame.decode_raw(payload)
        values = {name: {"raw": str(number(raw)), **shown(frame._get_signal(name), raw)} for name, raw in raws.items()}
        row = {"message": frame.name, "payload": payload.hex().upper(), "values": values}
        print(json.dumps(row))
    print(json.dumps({"message": frame.name, "initial": bytearray(frame.encode_raw({})).hex().upper()}))
