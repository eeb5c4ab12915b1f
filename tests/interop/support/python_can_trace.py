"""python-can as the other side of a trace. read <file>: its frames as JSON; write <file>: the frames that come in as JSON."""
import json
import sys

import can

action, path = sys.argv[1:3]
if action == "read":
    frames = [
        {
            "time": message.timestamp,
            "channel": message.channel,
            "id": message.arbitration_id,
            "extended": message.is_extended_id,
            "remote": message.is_remote_frame,
            "error": message.is_error_frame,
            "fd": message.is_fd,
            "brs": message.bitrate_switch,
            "esi": message.error_state_indicator,
            "length": message.dlc,
            "data": message.data.hex().upper(),
            "rx": message.is_rx,
        }
        for message in can.LogReader(path)
    ]
    json.dump(frames, sys.stdout)
else:
    with can.Logger(path) as log:
        for frame in json.load(sys.stdin):
            log(
                can.Message(
                    timestamp=frame["time"],
                    channel=frame["channel"],
                    arbitration_id=frame["id"],
                    is_extended_id=frame["extended"],
                    is_remote_frame=frame["remote"],
                    is_error_frame=frame["error"],
                    is_fd=frame["fd"],
                    bitrate_switch=frame["brs"],
                    error_state_indicator=frame["esi"],
                    dlc=frame["length"],
                    data=bytes.fromhex(frame["data"]),
                    is_rx=frame["rx"],
                )
            )
