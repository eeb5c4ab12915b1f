"""cantools as a second reader of DBC files: prints the signals of a file as JSON."""
import json
import sys

import cantools


def told(message, signal):
    return {
        "message": message.name,
        "id": message.frame_id,
        "extended": message.is_extended_frame,
        "cycle": message.cycle_time or None,
        "signal": signal.name,
        "start": signal.start,
        "length": signal.length,
        "order": "intel" if signal.byte_order == "little_endian" else "motorola",
        "raw": f"float{signal.length}"
        if signal.conversion.is_float
        else ("signed" if signal.is_signed else "unsigned"),
        "factor": signal.conversion.scale,
        "offset": signal.conversion.offset,
        "unit": signal.unit or "",
        "labels": {str(raw): str(name) for raw, name in (signal.choices or {}).items()},
        "selector": signal.multiplexer_signal if signal.multiplexer_ids else None,
        "pages": sorted(signal.multiplexer_ids or []),
    }


database = cantools.database.load_file(sys.argv[1], database_format="dbc", strict=False)
json.dump(
    [told(message, signal) for message in database.messages for signal in message.signals],
    sys.stdout,
)
