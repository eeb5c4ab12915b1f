# A loop of python-can over its virtual bus with cantools, or with struct where cantools is missing.
import json
import struct
import sys
import time

import can

FRAME_COUNT = 4096
DBC = """VERSION ""
BU_: A
BO_ 256 In: 8 A
 SG_ speed : 0|16@1+ (0.01,0) [0|0] "" A
 SG_ gear : 16|8@1+ (1,0) [0|0] "" A
BO_ 512 Out: 8 A
 SG_ gear : 0|8@1+ (1,0) [0|0] "" A
 SG_ speed_ms : 8|16@1+ (0.005,0) [0|0] "" A
"""


def frame_bytes(index):
    raw = (index * 37) % 20000
    return struct.pack("<HB5x", raw, index % 7)


def transcoders():
    try:
        import cantools

        database = cantools.database.load_string(DBC, "dbc")
        source = database.get_message_by_name("In")
        target = database.get_message_by_name("Out")
        return "cantools", source.decode, target.encode
    except ImportError:

        def decode(data):
            raw, gear = struct.unpack_from("<HB", data)
            return {"speed": raw * 0.01, "gear": gear}

        def encode(values):
            return struct.pack("<BH5x", values["gear"], round(values["speed_ms"] / 0.005))

        return "struct", decode, encode


def main():
    frames = int(sys.argv[1])
    name, decode, encode = transcoders()
    source = can.Bus("bench-a", interface="virtual")
    source_peer = can.Bus("bench-a", interface="virtual")
    target = can.Bus("bench-b", interface="virtual")
    target_peer = can.Bus("bench-b", interface="virtual")
    messages = [
        can.Message(arbitration_id=0x100, data=frame_bytes(index), is_extended_id=False)
        for index in range(FRAME_COUNT)
    ]
    best = float("inf")
    last = b""
    for _ in range(20):
        for index in range(frames):
            source_peer.send(messages[index % FRAME_COUNT])
        start = time.perf_counter()
        for _ in range(frames):
            values = decode(source.recv(1).data)
            data = encode({"gear": values["gear"], "speed_ms": values["speed"] * 0.2777777777777778})
            target.send(can.Message(arbitration_id=0x200, data=data, is_extended_id=False))
        best = min(best, time.perf_counter() - start)
        for _ in range(frames):
            last = target_peer.recv(1).data
    for bus in (source, source_peer, target, target_peer):
        bus.shutdown()
    print(json.dumps({"perSecond": frames / best, "peer": name, "last": last.hex()}))


main()
