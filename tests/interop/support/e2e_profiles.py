"""A second implementation of the E2E profiles over the CRCs of crccheck.

Reads a JSON list of jobs from standard input and prints the list of their answers.
"""
import json
import struct
import sys

from crccheck.crc import (
    Crc,
    Crc8Autosar,
    Crc8GsmA,
    Crc16CcittFalse,
    Crc32Autosar,
    Crc64Xz,
)


def own_crc(job):
    """A CRC by its catalogue parameters, as crccheck expects them."""
    crc = Crc(
        job["width"],
        int(job["polynomial"], 16),
        int(job["initial"], 16),
        job["reflect"],
        job["reflect"],
        int(job["final_xor"], 16),
    )
    crc.process(bytes.fromhex(job["data"]))
    return f"{crc.final():x}"


def without(data, first, count):
    return bytes(data[:first] + data[first + count :])


def put_nibble(data, bit_offset, value):
    byte, shift = divmod(bit_offset, 8)
    data[byte] = data[byte] & ~(0x0F << shift) & 0xFF | value << shift


def nibble(data, bit_offset):
    byte, shift = divmod(bit_offset, 8)
    return data[byte] >> shift & 0x0F


def profile_1(job, data, counter):
    name, data_id = job["profile"], job["data_id"]
    low, high = data_id & 0xFF, data_id >> 8
    crc_byte = job.get("crc_offset_bits", 0) // 8
    put_nibble(data, job.get("counter_offset_bits", 8), counter)
    if name.endswith("C"):
        put_nibble(data, job.get("nibble_offset_bits", 12), high)
    ids = {"A": [low, high], "B": [high if counter % 2 else low], "C": [low, 0], "W": [low]}
    data[crc_byte] = Crc8GsmA.calc(bytes(ids[name[-1]]) + without(data, crc_byte, 1))


def profile_2(job, data, counter):
    at = job.get("offset_bits", 0) // 8
    put_nibble(data, 8 * at + 8, counter)
    data[at] = Crc8Autosar.calc(without(data, at, 1) + bytes([job["data_id_list"][counter]]))


def profile_4(job, data, counter):
    at = job.get("offset_bits", 0) // 8
    struct.pack_into(">HHI", data, at, len(data), counter, job["data_id"])
    struct.pack_into(">I", data, at + 8, Crc32Autosar.calc(without(data, at + 8, 4)))


def profile_5(job, data, counter):
    at = job.get("offset_bits", 0) // 8
    data[at + 2] = counter
    covered = without(data, at, 2) + struct.pack("<H", job["data_id"])
    struct.pack_into("<H", data, at, Crc16CcittFalse.calc(covered))


def profile_6(job, data, counter):
    at = job.get("offset_bits", 0) // 8
    struct.pack_into(">HB", data, at + 2, len(data), counter)
    covered = without(data, at, 2) + struct.pack(">H", job["data_id"])
    struct.pack_into(">H", data, at, Crc16CcittFalse.calc(covered))


def profile_7(job, data, counter):
    at = job.get("offset_bits", 0) // 8
    struct.pack_into(">III", data, at + 8, len(data), counter, job["data_id"])
    struct.pack_into(">Q", data, at, Crc64Xz.calc(without(data, at, 8)))


def counter_of(job, data):
    at = job.get("offset_bits", 0) // 8
    fields = {"4": (">H", 2), "5": (">B", 2), "6": (">B", 4), "7": (">I", 12)}
    if job["profile"] in fields:
        form, place = fields[job["profile"]]
        return struct.unpack_from(form, data, at + place)[0]
    if job["profile"] in ("2", "22"):
        return nibble(data, 8 * at + 8)
    return nibble(data, job.get("counter_offset_bits", 8))


profiles = {
    "2": profile_2,
    "22": profile_2,
    "4": profile_4,
    "5": profile_5,
    "6": profile_6,
    "7": profile_7,
}


def protect(job):
    data = bytearray.fromhex(job["data"])
    profiles.get(job["profile"], profile_1)(job, data, job["counter"])
    return data.hex()


def check(job):
    """The counter of a correctly protected frame, or null."""
    frame = bytearray.fromhex(job["data"])
    counter = counter_of(job, frame)
    return counter if protect({**job, "counter": counter}) == frame.hex() else None


operations = {"crc": own_crc, "protect": protect, "check": check}
print(json.dumps([operations[job["operation"]](job) for job in json.load(sys.stdin)]))
