# Generated from the OpenAPI document by npm run generate. Do not edit.
"""One method for each operation of the API."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, Union
from urllib.parse import quote

from . import records
from ._caller import Caller
from ._request import StreamRequest


def _segment(text: Any) -> str:
    return quote(str(text), safe="")


class Operations(Caller):
    """Operations of the API; None is omitted from the request."""

    def info(self, *, timeout: Optional[float] = None) -> records.Info:
        """Show product, build, API and service identity."""
        return self._call("GET", "/api/v1/info", timeout=timeout)

    def health(self, *, timeout: Optional[float] = None) -> records.Health:
        """Show the health of the daemon, the Web service and the channel brokers."""
        return self._call("GET", "/api/v1/health", timeout=timeout)

    def capabilities(self, *, timeout: Optional[float] = None) -> records.Capabilities:
        """Show transports, resources, limits and security defaults."""
        return self._call("GET", "/api/v1/capabilities", timeout=timeout)

    def openapi(self, *, timeout: Optional[float] = None) -> records.OpenapiAnswer:
        """Print the OpenAPI 3.1 document of the HTTP API."""
        return self._call("GET", "/api/v1/openapi.json", timeout=timeout)

    def metrics(self, *, timeout: Optional[float] = None) -> str:
        """Print metrics in the Prometheus text format."""
        return self._call("GET", "/metrics", timeout=timeout)

    def operation_list(self, *, timeout: Optional[float] = None) -> records.OperationList:
        """List every command with its policy, parameters and HTTP binding."""
        return self._call("GET", "/api/v1/operations", timeout=timeout)

    def operation_show(
        self,
        operation_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.Operation:
        """Show the contract of an operation.

        :param operation_id: Operation ID
        """
        return self._call("GET", f"/api/v1/operations/{_segment(operation_id)}", timeout=timeout)

    def bench_show(self, *, timeout: Optional[float] = None) -> records.Bench:
        """Show the bench in use: its devices, port names and logical networks.

        The bench is read from busbar.bench.json in the project directory. If there is none, the
        file in the user’s configuration directory is used, then the built-in virtual bench.
        """
        return self._call("GET", "/api/v1/bench", timeout=timeout)

    def device_firmware_check(
        self,
        selector: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.Job:
        """Compare the firmware of a device with the bench’s firmware index.

        Queues a job and returns it immediately; job show reports the result. The device is not
        disturbed: its channels stay open and traffic continues. The job fails with
        firmware_index_missing, firmware_index_unreachable or invalid_firmware_index if the index
        cannot be used.

        :param selector: Serial number or UID of the device
        """
        return self._call(
            "POST",
            f"/api/v1/devices/{_segment(selector)}/firmware-check",
            timeout=timeout,
        )

    def device_list(self, *, timeout: Optional[float] = None) -> records.DeviceListAnswer:
        """List the connected analyzers and their ports."""
        return self._call("GET", "/api/v1/devices", timeout=timeout)

    def channel_list(self, *, timeout: Optional[float] = None) -> records.ChannelListAnswer:
        """List the open channels."""
        return self._call("GET", "/api/v1/channels", timeout=timeout)

    def channel_open(
        self,
        channel: str,
        *,
        name: Optional[str] = None,
        bus: Optional[Literal["can", "canfd", "lin"]] = None,
        mode: Optional[Literal["normal", "listen_only", "loopback"]] = None,
        bitrate: Optional[int] = None,
        data_bitrate: Optional[int] = None,
        timing: Optional[records.ChannelOpenRequestTiming] = None,
        termination: Optional[bool] = None,
        pull_up: Optional[bool] = None,
        power: Optional[bool] = None,
        lin: Optional[records.ChannelOpenRequestLin] = None,
        restart_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.Channel:
        """Open a port as a channel.

        Omitted settings use the port defaults: the most capable protocol, 500 kbit/s, and 2 Mbit/s
        for CAN FD data.

        :param channel: Port to open: <sn>/<port>, <uid>/<port>, or a port name or logical network
            from the bench file
        :param name: Name for the channel, usable as a selector
        :param bus: Protocol to open the port with; default: the most capable one that the port
            supports
        :param mode: Operating mode of the channel
        :param bitrate: Bit rate in bit/s; on CAN FD, the nominal bit rate
        :param data_bitrate: CAN FD data bit rate in bit/s
        :param timing: CAN bit timing; overrides the bit rates
        :param termination: Whether the bus termination in the port is on
        :param pull_up: LIN: whether the master pull-up resistor is on
        :param power: LIN: whether the port powers the bus
        :param lin: LIN role, version and checksum model
        :param restart_ms: CAN: bus-off time in milliseconds after which the controller is recovered
            automatically; 0 = never
        """
        body = {
            "channel": channel,
            "name": name,
            "bus": bus,
            "mode": mode,
            "bitrate": bitrate,
            "data_bitrate": data_bitrate,
            "timing": timing,
            "termination": termination,
            "pull_up": pull_up,
            "power": power,
            "lin": lin,
            "restart_ms": restart_ms,
        }
        return self._call("POST", "/api/v1/channels", body=body, timeout=timeout)

    def channel_show(self, selector: str, *, timeout: Optional[float] = None) -> records.Channel:
        """Show an open channel and its settings.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        """
        return self._call("GET", f"/api/v1/channels/{_segment(selector)}", timeout=timeout)

    def channel_configure(
        self,
        selector: str,
        *,
        timing: Optional[records.ChannelConfigRequestTiming] = None,
        lin: Optional[records.ChannelConfigRequestLin] = None,
        mode: Optional[Literal["normal", "listen_only", "loopback"]] = None,
        termination: Optional[bool] = None,
        pull_up: Optional[bool] = None,
        bitrate: Optional[int] = None,
        data_bitrate: Optional[int] = None,
        power: Optional[bool] = None,
        restart_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.Channel:
        """Change one group of settings of an open channel.

        Each call changes exactly one group: timing, lin, mode, termination, pull_up, bitrate (with
        data_bitrate), power or restart_ms. Repeating the current value changes nothing, except that
        timing, mode and bitrate also recover a CAN controller from bus off. A change that takes the
        port off the bus cancels batches that are being sent.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        :param timing: Nominal and data bit timing, set together
        :param lin: LIN version and checksum model, set together
        :param mode: Operating mode of the channel
        :param termination: Whether the bus termination in the port is on
        :param pull_up: LIN: whether the master pull-up resistor is on
        :param bitrate: Bit rate in bit/s; on CAN FD, the nominal bit rate
        :param data_bitrate: CAN FD data bit rate in bit/s
        :param power: LIN: whether the port powers the bus
        :param restart_ms: CAN: bus-off time in milliseconds after which the controller is recovered
            automatically; 0 = never
        """
        body = {
            "timing": timing,
            "lin": lin,
            "mode": mode,
            "termination": termination,
            "pull_up": pull_up,
            "bitrate": bitrate,
            "data_bitrate": data_bitrate,
            "power": power,
            "restart_ms": restart_ms,
        }
        return self._call(
            "PATCH",
            f"/api/v1/channels/{_segment(selector)}",
            body=body,
            timeout=timeout,
        )

    def channel_close(self, selector: str, *, timeout: Optional[float] = None) -> records.Channel:
        """Close a channel and discard its history.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        """
        return self._call("DELETE", f"/api/v1/channels/{_segment(selector)}", timeout=timeout)

    def channel_recover(self, selector: str, *, timeout: Optional[float] = None) -> records.Channel:
        """Recover a CAN channel from bus off.

        The controller waits for 128 idle sequences on the bus and then rejoins it. The response
        arrives when it has rejoined, or after one second with the state bus_off. The channel keeps
        its history and tasks. In any other state this does nothing.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        """
        return self._call("POST", f"/api/v1/channels/{_segment(selector)}/recover", timeout=timeout)

    def channel_wake(
        self,
        selector: str,
        *,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SendResult:
        """Wake a LIN bus with a wake-up pulse.

        Works for master and slaves. Returns when the hardware has accepted the pulse. The pulse
        appears as an event with the flag wake_up on every channel of the bus; slaves are ready 100
        ms later. A master sends the bus to sleep with the frame 3C#00FFFFFFFFFFFFFF.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        :param timeout_ms: How long a frame may wait for space in the queue, or a LIN read for its
            response
        """
        body = {"timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/channels/{_segment(selector)}/wake",
            body=body,
            timeout=timeout,
        )

    def channel_stats(
        self,
        selector: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.ChannelStats:
        """Show counters, rates, bus state and event retention of a channel.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        """
        return self._call("GET", f"/api/v1/channels/{_segment(selector)}/stats", timeout=timeout)

    def channel_traffic(
        self,
        *,
        after_us: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.ChannelTrafficAnswer:
        """Show the bus load of the open channels for each second of the last minute.

        A channel opened or reopened less than a minute ago has fewer seconds.

        :param after_us: Only seconds that ended after this Unix time in microseconds
        """
        query = {"after_us": after_us}
        return self._call("GET", "/api/v1/traffic", query=query, timeout=timeout)

    def _channel_traffic_stream(self) -> StreamRequest:
        """Stream the bus load of the open channels as server-sent events.

        A traffic event is sent once a second and lists all open channels, as channel traffic does:
        the first one with all retained seconds, the others with the seconds since the previous
        event. A slow client gets the seconds it missed with the next event, as far as they are
        retained.
        """
        return StreamRequest("/api/v1/traffic/stream")

    def _state_stream(
        self,
        include: Sequence[Literal["channel.list", "channel.stats", "channel.traffic", "device.list", "database.list", "signal.list", "job.list", "isotp.list", "tx-task.list", "route.list", "logging.status", "recorder.list", "replay.status", "remote.status", "gateway.status", "metrics"]],
    ) -> StreamRequest:
        """Stream results of operations as server-sent events.

        Each event is named after an operation and contains its result: immediately, and then on
        every change, checked once a second. Some results differ from those of the operations:
        channel.stats contains all open channels, as channels; signal.list contains one full page of
        plans; channel.traffic continues from the previous event; gateway.status contains each
        instance as in health, as gateways; gateway.stream has the rest. If an operation fails, its
        event contains the error. Intermediate changes are skipped: a slow client gets the latest
        result, never a backlog.

        :param include: Operations to stream
        """
        query = {"include": include}
        return StreamRequest("/api/v1/state/stream", query=query)

    def message_send(
        self,
        channel: str,
        *,
        message: Optional[str] = None,
        signals: Optional[Dict[str, str]] = None,
        raw: Optional[bool] = None,
        database: Optional[str] = None,
        type: Optional[Literal["data", "remote", "master-write", "master-read", "sync-break"]] = None,
        id: Optional[Union[int, str]] = None,
        extended: Optional[bool] = None,
        fd: Optional[bool] = None,
        brs: Optional[bool] = None,
        esi: Optional[bool] = None,
        dlc: Optional[int] = None,
        data: Optional[str] = None,
        checksum: Optional[Literal["classic", "enhanced"]] = None,
        count: Optional[int] = None,
        cycle_us: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SendResult:
        """Send a CAN, CAN FD or LIN frame, a message by name, a batch, or a list of frames.

        Returns when the hardware has accepted every frame; for a LIN master-read, when the response
        has arrived. In a batch, frame k is due k cycle times after the first. Over HTTP, count ×
        cycle_us may not exceed 60 seconds. The command line also accepts frame notation:
        123#DEADBEEF, 18FF50E5#01, 123#R4, 123##1DEADBEEF. A list is checked completely before its
        first frame is sent. A message by name is encoded from its signals; those that are not named
        have the start value of the database.

        :param channel: Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
        :param message: Message of an attached database, instead of a frame: identifier, format and
            length come from there
        :param signals: Values by signal name: a decimal number is a physical value, other text a
            label. JSON numbers are refused, because they are not exact
        :param raw: Whether numbers in signals are raw values, which only their bits limit; default:
            false
        :param database: Database of the message; default: the only attached one that has it
        :param type: Frame type; default: data on CAN, master-write on LIN
        :param id: Identifier; required except for sync-break. A string is hex as printed: 123 (up
            to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits or above 7FF: 29-bit)
        :param extended: Whether the identifier is 29-bit; default: from the number of digits of a
            string, false for a number
        :param fd: CAN FD frame
        :param brs: CAN FD: send the data at the data bit rate (BRS)
        :param esi: CAN FD: error state indicator (ESI)
        :param dlc: Data length code; default: from the data
        :param data: Payload in hex; spaces and separators between bytes are allowed
        :param checksum: LIN checksum model; default: that of the channel
        :param count: Number of times to send the frame
        :param cycle_us: Cycle time in microseconds; 0 sends as fast as the port allows
        :param timeout_ms: How long a frame may wait for space in the queue, or a LIN read for its
            response
        """
        body = {
            "channel": channel,
            "message": message,
            "signals": signals,
            "raw": raw,
            "database": database,
            "type": type,
            "id": id,
            "extended": extended,
            "fd": fd,
            "brs": brs,
            "esi": esi,
            "dlc": dlc,
            "data": data,
            "checksum": checksum,
            "count": count,
            "cycle_us": cycle_us,
            "timeout_ms": timeout_ms,
        }
        return self._call("POST", "/api/v1/messages", body=body, timeout=timeout)

    def message_history(
        self,
        *,
        channel: Optional[Union[str, Sequence[str]]] = None,
        after: Optional[int] = None,
        id: Optional[Union[str, Sequence[str]]] = None,
        direction: Optional[Literal["rx", "tx"]] = None,
        decode: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.MessageHistory:
        """Read past events of channels.

        Results are paged: repeat with after set to next_after while has_more is true. With id or
        direction, a page searches at most 32768 events and may return few or none although more
        exist. An after that has expired or lies in the future is rejected with cursor_expired:
        resume from oldest_available - 1. With several channels, the history begins with the oldest
        event of the busiest one; older lists the channels with older events, which a query of that
        channel returns.

        :param channel: Channels to receive from, by any selector; default: all
        :param after: Event ID to resume after
        :param id: Identifiers to include, in hex as printed: 123 (up to 3 digits: 11-bit or LIN),
            18FF50E5 (8 digits: 29-bit), a range 100-1FF, or identifier and mask 123:7FF
        :param direction: Only received (rx) or only sent (tx) frames
        :param decode: Add the message and its signals by the databases attached to the channel
        :param limit: Maximum number of events; the response size limit may reduce it
        """
        query = {
            "channel": channel,
            "after": after,
            "id": id,
            "direction": direction,
            "decode": decode,
            "limit": limit,
        }
        return self._call("GET", "/api/v1/messages/history", query=query, timeout=timeout)

    def _message_stream(
        self,
        *,
        channel: Optional[Union[str, Sequence[str]]] = None,
        after: Optional[int] = None,
        id: Optional[Union[str, Sequence[str]]] = None,
        direction: Optional[Literal["rx", "tx"]] = None,
        decode: Optional[bool] = None,
    ) -> StreamRequest:
        """Stream events as server-sent events.

        Each message event has the event ID as its id and a MessageEvent as its data; a gap event
        reports lost events as a GapEvent. Starts after Last-Event-ID, else after the after
        parameter, else with the next event. A comment every 15 seconds keeps the connection alive.

        :param channel: Channels to receive from, by any selector; default: all
        :param after: Event ID to resume after
        :param id: Identifiers to include, in hex as printed: 123 (up to 3 digits: 11-bit or LIN),
            18FF50E5 (8 digits: 29-bit), a range 100-1FF, or identifier and mask 123:7FF
        :param direction: Only received (rx) or only sent (tx) frames
        :param decode: Add the message and its signals by the databases attached to the channel
        """
        query = {
            "channel": channel,
            "after": after,
            "id": id,
            "direction": direction,
            "decode": decode,
        }
        return StreamRequest("/api/v1/messages/stream", query=query)

    def _message_ws(
        self,
        *,
        channel: Optional[Union[str, Sequence[str]]] = None,
        after: Optional[int] = None,
        id: Optional[Union[str, Sequence[str]]] = None,
        direction: Optional[Literal["rx", "tx"]] = None,
        interval_ms: Optional[int] = None,
    ) -> StreamRequest:
        """Stream events as binary WebSocket messages.

        Offer the subprotocol svc.frames.v2, followed by svc.token.<token> if a token is required
        and no header can be set. Each binary message is one FRM2 record; a text message reports a
        gap. Starts after the after parameter, else with the next event.

        :param channel: Channels to receive from, by any selector; default: all
        :param after: Event ID to resume after
        :param id: Identifiers to include, in hex as printed: 123 (up to 3 digits: 11-bit or LIN),
            18FF50E5 (8 digits: 29-bit), a range 100-1FF, or identifier and mask 123:7FF
        :param direction: Only received (rx) or only sent (tx) frames
        :param interval_ms: Minimum time in milliseconds between two writes; events in between are
            sent together, which costs the client less. With a short history it is shorter, so that no
            event is overwritten
        """
        query = {
            "channel": channel,
            "after": after,
            "id": id,
            "direction": direction,
            "interval_ms": interval_ms,
        }
        return StreamRequest("/api/v1/messages/ws", query=query)

    def condition_check(
        self,
        condition: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.ConditionReport:
        """Show how a condition is understood, and how often it fired in the last minute.

        Conditions start and stop recorders, filter traces and replays, and are checked. This looks
        up the names of the condition on the bench and evaluates it over the events that the rings
        hold. The reference page “Conditions” has the terms.

        :param condition: Condition to check: a condition such as signal Engine.EngineSpeed > 3000
        """
        body = {"condition": condition}
        return self._call("POST", "/api/v1/conditions", body=body, timeout=timeout)

    def tx_task_add(
        self,
        channel: str,
        *,
        kind: Optional[Literal["cyclic", "lin_response"]] = None,
        message: Optional[str] = None,
        signals: Optional[Dict[str, str]] = None,
        raw: Optional[bool] = None,
        database: Optional[str] = None,
        counter: Optional[records.TxTaskRequestCounter] = None,
        e2e: Optional[records.TxTaskRequestE2e] = None,
        type: Optional[Literal["data", "remote", "master-write"]] = None,
        id: Optional[Union[int, str]] = None,
        extended: Optional[bool] = None,
        fd: Optional[bool] = None,
        brs: Optional[bool] = None,
        esi: Optional[bool] = None,
        dlc: Optional[int] = None,
        data: Optional[str] = None,
        checksum: Optional[Literal["classic", "enhanced"]] = None,
        period_us: Optional[int] = None,
        count: Optional[int] = None,
        pattern: Optional[Literal["fixed", "increment_data", "increment_id", "random_data"]] = None,
        offload: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.TxTask:
        """Send a frame cyclically, or respond to a LIN header.

        A cyclic task sends its first frame immediately and frame k after k cycle times. A cycle for
        which the daemon is too late counts as missed and is not made up; a frame that the channel
        does not accept counts as failed, and the task continues. A LIN response is sent for every
        header with its identifier. Tasks are offloaded to devices that can do this. A task ends
        when it is removed or its channel is closed.

        :param channel: Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
        :param kind: Send cyclically, or respond to a LIN header
        :param message: Message of an attached database, instead of a frame: identifier, format and
            length come from there
        :param signals: Values by signal name: a decimal number is a physical value, other text a
            label. JSON numbers are refused, because they are not exact
        :param raw: Whether numbers in signals are raw values, which only their bits limit; default:
            false
        :param database: Database of the message; default: the only attached one that has it
        :param counter: Counter of a task by name
        :param e2e: End-to-end protection of a task by name, as in a codec of a gateway project
        :param type: Frame type; default: data on CAN, master-write on LIN
        :param id: Identifier; required except for sync-break. A string is hex as printed: 123 (up
            to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits or above 7FF: 29-bit)
        :param extended: Whether the identifier is 29-bit; default: from the number of digits of a
            string, false for a number
        :param fd: CAN FD frame
        :param brs: CAN FD: send the data at the data bit rate (BRS)
        :param esi: CAN FD: error state indicator (ESI)
        :param dlc: Data length code; default: from the data
        :param data: Payload in hex; spaces and separators between bytes are allowed
        :param checksum: LIN checksum model; default: that of the channel
        :param period_us: Cycle time in microseconds; required for a cyclic task, unless the
            database has one for its message
        :param count: Number of frames to send; 0 = unlimited
        :param pattern: Change per frame: none, increment the data as one big-endian number,
            increment the identifier, or random data
        :param offload: Whether to offload to the device or kernel: true requires it, false leaves
            it to the daemon; default: offload if no reported information is lost
        """
        body = {
            "channel": channel,
            "kind": kind,
            "message": message,
            "signals": signals,
            "raw": raw,
            "database": database,
            "counter": counter,
            "e2e": e2e,
            "type": type,
            "id": id,
            "extended": extended,
            "fd": fd,
            "brs": brs,
            "esi": esi,
            "dlc": dlc,
            "data": data,
            "checksum": checksum,
            "period_us": period_us,
            "count": count,
            "pattern": pattern,
            "offload": offload,
        }
        return self._call("POST", "/api/v1/tx-tasks", body=body, timeout=timeout)

    def tx_task_list(self, *, timeout: Optional[float] = None) -> records.TxTaskListAnswer:
        """List the transmit tasks."""
        return self._call("GET", "/api/v1/tx-tasks", timeout=timeout)

    def tx_task_set(
        self,
        task_id: str,
        *,
        signals: Optional[Dict[str, str]] = None,
        raw: Optional[bool] = None,
        data: Optional[str] = None,
        enabled: Optional[bool] = None,
        period_us: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.TxTask:
        """Change a transmit task while it runs.

        All changes take effect together in the next frame, and due times stay on their grid.
        Signals that are not named keep their values. With enabled false the task is paused. A new
        cycle time counts from the last frame.

        :param task_id: Transmit task ID
        :param signals: Values by signal name: a decimal number is a physical value, other text a
            label. JSON numbers are refused, because they are not exact
        :param raw: Whether numbers in signals are raw values, which only their bits limit; default:
            false
        :param data: Payload of a task by frame in hex, as long as before
        :param enabled: Whether the task sends
        :param period_us: Cycle time in microseconds
        """
        body = {
            "signals": signals,
            "raw": raw,
            "data": data,
            "enabled": enabled,
            "period_us": period_us,
        }
        return self._call(
            "PATCH",
            f"/api/v1/tx-tasks/{_segment(task_id)}",
            body=body,
            timeout=timeout,
        )

    def tx_task_remove(self, task_id: str, *, timeout: Optional[float] = None) -> records.TxTask:
        """Remove a transmit task and show its final counters.

        :param task_id: Transmit task ID
        """
        return self._call("DELETE", f"/api/v1/tx-tasks/{_segment(task_id)}", timeout=timeout)

    def tx_task_message(
        self,
        task_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.DatabaseMessage:
        """Show the message of a transmit task by name.

        A task keeps its own copy of the message: after the database was reloaded or unloaded, this
        is still the layout that the task sends.

        :param task_id: Transmit task ID
        """
        return self._call("GET", f"/api/v1/tx-tasks/{_segment(task_id)}/message", timeout=timeout)

    def tx_task_import(
        self,
        channel: str,
        database: str,
        *,
        node: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> records.TxTaskImportAnswer:
        """Send all periodic messages of a database: a rest bus in one command.

        Adds a task for every message with a cycle time, or for those that a node sends, with start
        values. All tasks are added, or none. Their first frames are spread over their cycle times.

        :param channel: Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
        :param database: Loaded database
        :param node: Only messages of this sender; default: all
        """
        body = {"channel": channel, "database": database, "node": node}
        return self._call("POST", "/api/v1/tx-tasks/import", body=body, timeout=timeout)

    def route_add(
        self,
        source: records.RouteRequestSource,
        target: records.RouteRequestTarget,
        *,
        offload: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.Route:
        """Forward received CAN frames to another channel.

        Needs a source and a target; on the command line each of their fields is an option. Every
        frame received by the source with a matching identifier is sent on the target immediately,
        including remote frames. If both ports belong to a device that can route frames, the route
        is offloaded to it. A route ends when it is removed or one of its channels is closed.

        :param source: Frames to forward
        :param target: Destination
        :param offload: Whether to offload to the device or kernel: true requires it, false leaves
            it to the daemon; default: offload if no reported information is lost
        """
        body = {"source": source, "target": target, "offload": offload}
        return self._call("POST", "/api/v1/routes", body=body, timeout=timeout)

    def route_list(self, *, timeout: Optional[float] = None) -> records.RouteListAnswer:
        """List the routes."""
        return self._call("GET", "/api/v1/routes", timeout=timeout)

    def route_remove(self, route_id: str, *, timeout: Optional[float] = None) -> records.Route:
        """Remove a route and show its final counters.

        :param route_id: Route ID
        """
        return self._call("DELETE", f"/api/v1/routes/{_segment(route_id)}", timeout=timeout)

    def modbus_read(
        self,
        unit: int,
        *,
        network: Optional[str] = None,
        endpoint: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        gap_ms: Optional[int] = None,
        late_ms: Optional[int] = None,
        probe: Optional[bool] = None,
        table: Optional[Literal["coil", "discrete", "input", "holding"]] = None,
        address: Optional[int] = None,
        reference: Optional[str] = None,
        type: Optional[Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]] = None,
        order: Optional[Literal["ABCD", "CDAB", "BADC", "DCBA"]] = None,
        count: Optional[int] = None,
        show: Optional[Literal["decimal", "hex"]] = None,
        retries: Optional[int] = None,
        trace: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.ModbusReading:
        """Read coils, inputs or registers of a Modbus unit.

        Items are addressed by table and zero-based address, as on the wire, or by a one-based
        reference, as in manuals; the result contains both. All items are read in a single request.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
        :param unit: Unit ID: 0 to 255 over TCP, 1 to 247 on serial lines and RTU over TCP
        :param timeout_ms: Response time-out
        :param gap_ms: Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for
            ASCII
        :param late_ms: Serial lines: how long to skip a unit that answers neither a request nor a
            probe; default: one time-out
        :param probe: Serial lines: whether a unit that answered late may be probed with function 08
            or a second read; default: true
        :param table: Table; a reference implies it
        :param address: Address of the first item, zero-based
        :param reference: Reference as in device manuals, one-based, instead of table and address
        :param type: Data type; default: u16 for registers, bool for bits
        :param order: Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap
            the two bytes of u16 and s16; it does not apply to bool
        :param count: Number of values; each uses as many registers as its type needs
        :param show: Show values as numbers or as raw bits
        :param retries: Retries after a time-out or connection error; a write may be executed more
            than once
        :param trace: Include the raw bytes of requests and responses
        """
        body = {
            "network": network,
            "endpoint": endpoint,
            "unit": unit,
            "timeout_ms": timeout_ms,
            "gap_ms": gap_ms,
            "late_ms": late_ms,
            "probe": probe,
            "table": table,
            "address": address,
            "reference": reference,
            "type": type,
            "order": order,
            "count": count,
            "show": show,
            "retries": retries,
            "trace": trace,
        }
        return self._call("POST", "/api/v1/modbus/read", body=body, timeout=timeout)

    def modbus_write(
        self,
        unit: int,
        *,
        network: Optional[str] = None,
        endpoint: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        gap_ms: Optional[int] = None,
        late_ms: Optional[int] = None,
        probe: Optional[bool] = None,
        table: Optional[Literal["coil", "discrete", "input", "holding"]] = None,
        address: Optional[int] = None,
        reference: Optional[str] = None,
        type: Optional[Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]] = None,
        order: Optional[Literal["ABCD", "CDAB", "BADC", "DCBA"]] = None,
        value: Optional[Sequence[str]] = None,
        bit: Optional[Sequence[str]] = None,
        multiple: Optional[bool] = None,
        show: Optional[Literal["decimal", "hex"]] = None,
        retries: Optional[int] = None,
        trace: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.ModbusWriting:
        """Write coils or holding registers of a Modbus unit.

        Values are strings: integers in decimal, raw bits in hex, or floats, which are rounded to
        the nearest value that the type can hold; the result contains what was written. A single
        register is written with function 06 and a single coil with 05; --multiple uses functions 15
        and 16, which some devices require. --bit changes single bits of a holding register by one
        read-modify-write, with function 06 or as --multiple says; if the read fails, nothing is
        written.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
        :param unit: Unit ID: 0 to 255 over TCP, 1 to 247 on serial lines and RTU over TCP
        :param timeout_ms: Response time-out
        :param gap_ms: Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for
            ASCII
        :param late_ms: Serial lines: how long to skip a unit that answers neither a request nor a
            probe; default: one time-out
        :param probe: Serial lines: whether a unit that answered late may be probed with function 08
            or a second read; default: true
        :param table: Table; a reference implies it
        :param address: Address of the first item, zero-based
        :param reference: Reference as in device manuals, one-based, instead of table and address
        :param type: Data type; default: u16 for registers, bool for bits
        :param order: Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap
            the two bytes of u16 and s16; it does not apply to bool
        :param value: Values to write, starting at the first item
        :param bit: Bits of one holding register to change; 0 is the least significant bit
        :param multiple: Use function 15 or 16 even for a single item
        :param show: Show values as numbers or as raw bits
        :param retries: Retries after a time-out or connection error; a write may be executed more
            than once
        :param trace: Include the raw bytes of requests and responses
        """
        body = {
            "network": network,
            "endpoint": endpoint,
            "unit": unit,
            "timeout_ms": timeout_ms,
            "gap_ms": gap_ms,
            "late_ms": late_ms,
            "probe": probe,
            "table": table,
            "address": address,
            "reference": reference,
            "type": type,
            "order": order,
            "value": value,
            "bit": bit,
            "multiple": multiple,
            "show": show,
            "retries": retries,
            "trace": trace,
        }
        return self._call("POST", "/api/v1/modbus/write", body=body, timeout=timeout)

    def modbus_scan(
        self,
        *,
        network: Optional[str] = None,
        endpoint: Optional[str] = None,
        units: Optional[str] = None,
        table: Optional[Literal["coil", "discrete", "input", "holding"]] = None,
        address: Optional[int] = None,
        reference: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        gap_ms: Optional[int] = None,
        late_ms: Optional[int] = None,
        probe: Optional[bool] = None,
        trace: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.ModbusScan:
        """Find the units that answer at an endpoint.

        Sends one read to each unit, by default of holding register 0. A unit is reported as soon as
        it has answered, has returned an exception or has timed out; an exception also proves that
        it exists. Requests are queued with all others, one at a time, so that a poll waits for at
        most one unit. Over TCP, the connection is reopened after a time-out. Over HTTP, all
        requests together may take 60 s.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
        :param units: Units to scan
        :param table: Table; a reference implies it
        :param address: Address of the first item, zero-based
        :param reference: Reference as in device manuals, one-based, instead of table and address
        :param timeout_ms: Response and connection time-out per unit
        :param gap_ms: Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for
            ASCII
        :param late_ms: Serial lines: how long to skip a unit that answers neither a request nor a
            probe; default: one time-out
        :param probe: Serial lines: whether a unit that answered late may be probed with function 08
            or a second read; default: true
        :param trace: Include the raw bytes of requests and responses
        """
        body = {
            "network": network,
            "endpoint": endpoint,
            "units": units,
            "table": table,
            "address": address,
            "reference": reference,
            "timeout_ms": timeout_ms,
            "gap_ms": gap_ms,
            "late_ms": late_ms,
            "probe": probe,
            "trace": trace,
        }
        return self._call("POST", "/api/v1/modbus/scan", body=body, timeout=timeout)

    def modbus_serve(
        self,
        *,
        network: Optional[str] = None,
        endpoint: Optional[str] = None,
        unit: Optional[int] = None,
        map: Optional[str] = None,
        gap_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.ModbusServer:
        """Serve one or more Modbus units.

        With a unit, all four tables have 65536 items, initially zero. With a map, a JSON file
        defines the units, their items, initial values and simulated faults; the guide shows an
        example. The server runs in the daemon until it is stopped, and keeps what clients write
        until then. Over TCP, port 0 selects a free port. An endpoint can have only one server,
        regardless of its units.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
        :param unit: Unit ID: 0 to 255 over TCP, 1 to 247 on serial lines and RTU over TCP
        :param map: Map file in the project directory that defines the units, instead of a single
            unit
        :param gap_ms: Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for
            ASCII
        """
        body = {
            "network": network,
            "endpoint": endpoint,
            "unit": unit,
            "map": map,
            "gap_ms": gap_ms,
        }
        return self._call("POST", "/api/v1/modbus/serve", body=body, timeout=timeout)

    def modbus_stop(
        self,
        *,
        network: Optional[str] = None,
        endpoint: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> records.ModbusServer:
        """Stop a server started by modbus serve.

        The server can be named by the network or endpoint it was started with, by an equivalent
        address, by any local address if it listens on all of them, or by another path of the serial
        device; serial settings are ignored. A server on an automatically selected port can also be
        named by its actual address; this is required if several servers were started with the same
        endpoint. A server that belongs to a gateway instance is rejected with `busy`: it stops with
        the instance.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
        """
        body = {"network": network, "endpoint": endpoint}
        return self._call("POST", "/api/v1/modbus/stop", body=body, timeout=timeout)

    def modbus_status(self, *, timeout: Optional[float] = None) -> records.ModbusStatus:
        """List Modbus sessions, units and servers with their counters."""
        return self._call("GET", "/api/v1/modbus", timeout=timeout)

    def modbus_registers(
        self,
        *,
        network: Optional[str] = None,
        endpoint: Optional[str] = None,
        unit: Optional[int] = None,
        table: Optional[Literal["coil", "discrete", "input", "holding"]] = None,
        address: Optional[int] = None,
        reference: Optional[str] = None,
        type: Optional[Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]] = None,
        order: Optional[Literal["ABCD", "CDAB", "BADC", "DCBA"]] = None,
        count: Optional[int] = None,
        show: Optional[Literal["decimal", "hex"]] = None,
        timeout: Optional[float] = None,
    ) -> records.ModbusRegisters:
        """Show the contents of a unit of a Modbus server in this daemon.

        Reads the server’s memory directly: no bus traffic, not counted as a client, not affected by
        simulated faults. Default: holding registers from address 0. Server and unit are optional if
        there is only one. Items that the unit does not have are null. Works for servers started by
        modbus serve or by a gateway instance; use modbus read for any other server.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
        :param unit: Unit of the server; optional if the server has only one
        :param table: Table; a reference implies it
        :param address: Address of the first item, zero-based
        :param reference: Reference as in device manuals, one-based, instead of table and address
        :param type: Data type; default: u16 for registers, bool for bits
        :param order: Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap
            the two bytes of u16 and s16; it does not apply to bool
        :param count: Number of values; each uses as many registers as its type needs
        :param show: Show values as numbers or as raw bits
        """
        query = {
            "network": network,
            "endpoint": endpoint,
            "unit": unit,
            "table": table,
            "address": address,
            "reference": reference,
            "type": type,
            "order": order,
            "count": count,
            "show": show,
        }
        return self._call("GET", "/api/v1/modbus/registers", query=query, timeout=timeout)

    def _modbus_stream(
        self,
        *,
        network: Optional[str] = None,
        endpoint: Optional[str] = None,
        unit: Optional[int] = None,
        table: Optional[Literal["coil", "discrete", "input", "holding"]] = None,
        address: Optional[int] = None,
        reference: Optional[str] = None,
        type: Optional[Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]] = None,
        order: Optional[Literal["ABCD", "CDAB", "BADC", "DCBA"]] = None,
        count: Optional[int] = None,
        show: Optional[Literal["decimal", "hex"]] = None,
        also: Optional[Union[str, Sequence[str]]] = None,
    ) -> StreamRequest:
        """Stream Modbus sessions, servers and register contents as server-sent events.

        A status event contains the result of modbus status, immediately and then once a second. If
        a server is given, a registers event contains the result of modbus registers, immediately
        and then on every change, up to four times a second; or its error, such as server_not_found.
        Each entry of also has its own registers events, with the entry’s text as look. Intermediate
        changes are skipped.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
        :param unit: Unit of the server; optional if the server has only one
        :param table: Table; a reference implies it
        :param address: Address of the first item, zero-based
        :param reference: Reference as in device manuals, one-based, instead of table and address
        :param type: Data type; default: u16 for registers, bool for bits
        :param order: Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap
            the two bytes of u16 and s16; it does not apply to bool
        :param count: Number of values; each uses as many registers as its type needs
        :param show: Show values as numbers or as raw bits
        :param also: Additional registers to stream on the same connection, each written as a query
            of modbus registers
        """
        query = {
            "network": network,
            "endpoint": endpoint,
            "unit": unit,
            "table": table,
            "address": address,
            "reference": reference,
            "type": type,
            "order": order,
            "count": count,
            "show": show,
            "also": also,
        }
        return StreamRequest("/api/v1/modbus/stream", query=query)

    def database_load(
        self,
        file: str,
        *,
        name: Optional[str] = None,
        type: Optional[Literal["dbc", "ldf"]] = None,
        timeout: Optional[float] = None,
    ) -> records.Database:
        """Load a database with messages and signals.

        The file must be inside the project directory. Minor errors with an unambiguous meaning are
        corrected and reported as diagnostics. An invalid file is rejected with line and column.

        :param file: File to load
        :param name: Name for the database; default: the file name
        :param type: File format; default: the file name and the first bytes decide
        """
        body = {"file": file, "name": name, "type": type}
        return self._call("POST", "/api/v1/databases", body=body, timeout=timeout)

    def database_list(self, *, timeout: Optional[float] = None) -> records.DatabaseListAnswer:
        """List the loaded databases."""
        return self._call("GET", "/api/v1/databases", timeout=timeout)

    def database_show(
        self,
        name: str,
        *,
        message: Optional[str] = None,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        signal_offset: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.DatabaseContent:
        """Show a database: its diagnostics, messages and signals.

        Results are paged: repeat with offset set to message_next_offset until it equals
        message_total. The response size limit may shorten a page. If signals of a message do not
        fit, signals_omitted says how many: request that message again by name, with signal_offset
        set to the number of signals already shown.

        :param name: Name of a loaded database
        :param message: Show only this message, by name or by identifier in printed hex
        :param offset: Index of the first message
        :param limit: Maximum number of messages
        :param signal_offset: Index of the first signal of the first message
        """
        query = {
            "message": message,
            "offset": offset,
            "limit": limit,
            "signal_offset": signal_offset,
        }
        return self._call(
            "GET",
            f"/api/v1/databases/{_segment(name)}",
            query=query,
            timeout=timeout,
        )

    def database_unload(self, name: str, *, timeout: Optional[float] = None) -> records.Database:
        """Unload and detach a database; signal plans made from it keep running.

        :param name: Name of a loaded database
        """
        return self._call("DELETE", f"/api/v1/databases/{_segment(name)}", timeout=timeout)

    def database_reload(self, name: str, *, timeout: Optional[float] = None) -> records.Database:
        """Read the file of a database again after a change.

        Channels use the new content for their next frame. Signal plans keep the layout that they
        were made with. A file that cannot be read leaves the database as it was.

        :param name: Name of a loaded database
        """
        return self._call("POST", f"/api/v1/databases/{_segment(name)}/reload", timeout=timeout)

    def database_attach(
        self,
        selector: str,
        name: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.Channel:
        """Attach a database to a channel.

        Frames of the channel are named and decoded with its databases: the first one that has a
        message for a frame decides. Attaching a database again keeps the order. Attachments end
        when the channel is closed; the bench file names those that are made whenever it is opened.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        :param name: Name of a loaded database
        """
        return self._call(
            "PUT",
            f"/api/v1/channels/{_segment(selector)}/databases/{_segment(name)}",
            timeout=timeout,
        )

    def database_detach(
        self,
        selector: str,
        name: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.Channel:
        """Detach a database from a channel; signal plans made from it keep running.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        :param name: Name of a loaded database
        """
        return self._call(
            "DELETE",
            f"/api/v1/channels/{_segment(selector)}/databases/{_segment(name)}",
            timeout=timeout,
        )

    def gateway_validate(
        self,
        file: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewayValidation:
        """Validate a gateway project.

        Reports all problems together, each with its table, row, field and remedy. Needs no daemon
        and does no bus I/O. Over HTTP, the file must be inside the project directory.

        :param file: Project to validate
        """
        body = {"file": file}
        return self._call("POST", "/api/v1/gateways/validate", body=body, timeout=timeout)

    def gateway_files(
        self,
        type: Literal["gwproj", "dbc", "ldf", "json", "trace"],
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayFilePage:
        """List files for gateway and Modbus operations.

        Lists files of one type inside the project directory, by relative path. Hidden files and
        symbolic links are omitted. Results are paged: repeat with offset set to file_next_offset
        until it equals file_total.

        :param type: File type: projects (gwproj), databases (dbc, ldf), JSON files such as Modbus
            server maps (json), or traces (trace)
        :param offset: Index of the first file
        :param limit: Maximum number of files
        """
        query = {"type": type, "offset": offset, "limit": limit}
        return self._call("GET", "/api/v1/gateways/files", query=query, timeout=timeout)

    def file_get(self, file: str, *, timeout: Optional[float] = None) -> bytes:
        """Download a file of the project directory.

        Sends the file as it is on the disk, up to its size when the request arrives. The ETag is
        the version of the file. Hidden files cannot be downloaded. At most 8 downloads run at a
        time.

        :param file: Path inside the project directory; in a path, write / as %2F
        """
        return self._call("GET", f"/api/v1/files/{_segment(file)}", timeout=timeout)

    def file_put(
        self,
        file: str,
        data: str,
        *,
        upload: Optional[str] = None,
        offset: Optional[int] = None,
        complete: Optional[bool] = None,
        replaces: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> records.FileUpload:
        """Upload a file into the project directory.

        Creates a file, or replaces the version of it that replaces names. A file larger than a
        request body is sent in parts: the first with complete false, the others with its upload and
        offset. Until the last part, nothing of the file can be seen. An upload without a new part
        ends after 60 seconds; at most 8 run at a time. Names must end with .gwproj, .dbc, .ldf,
        .asc, .blf, .log, .mf4, .asc.gz, .log.gz, .checks.json, .layout.json, .hex, .s19, .bin, also
        that of the target of a link.

        :param file: Path inside the project directory; in a path, write / as %2F
        :param data: Bytes of this part in Base64
        :param upload: Upload that this part continues; default: the first part of a new one
        :param offset: Position of this part in the file: the end of the parts so far
        :param complete: Whether this is the last part
        :param replaces: Version to replace; without it, the file must not exist
        """
        body = {
            "data": data,
            "upload": upload,
            "offset": offset,
            "complete": complete,
            "replaces": replaces,
        }
        return self._call("PUT", f"/api/v1/files/{_segment(file)}", body=body, timeout=timeout)

    def file_delete(
        self,
        file: str,
        version: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.FileDeleteAnswer:
        """Delete a file of the project directory.

        Deletes the version that the caller knows. Names must end with .gwproj, .dbc, .ldf, .asc,
        .blf, .log, .mf4, .asc.gz, .log.gz, .checks.json, .layout.json, .hex, .s19, .bin, also that
        of the target of a link.

        :param file: Path inside the project directory; in a path, write / as %2F
        :param version: Version to delete
        """
        query = {"version": version}
        return self._call("DELETE", f"/api/v1/files/{_segment(file)}", query=query, timeout=timeout)

    def gateway_import(
        self,
        file: str,
        output: str,
        network: str,
        direction: Literal["rx", "tx"],
        *,
        overwrite: Optional[bool] = None,
        merge: Optional[str] = None,
        instance: Optional[str] = None,
        missing_cycle: Optional[Literal["periodic", "on_change"]] = None,
        default_period_ms: Optional[int] = None,
        stale_after_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayImport:
        """Convert a DBC file into a gateway project, or merge it into one.

        All messages of the file are received or sent on one network. Missing information and
        features that cannot be converted are listed; a message that cannot be sent as described is
        rejected. The output is fully validated and then written atomically; it may be the merged
        project itself. Concurrent imports into one directory run one after another, so that no rows
        are lost. Needs no daemon. Over HTTP, all files must be inside the project directory, and
        the output must be an existing project or end in .gwproj.

        :param file: DBC file
        :param output: Project to write
        :param overwrite: Replace the file if it exists
        :param merge: Project to merge into
        :param instance: Project ID; a merged project keeps its own
        :param network: Logical network of the bench
        :param direction: Direction of the messages
        :param missing_cycle: How to send messages without a cycle time; by default they are
            rejected
        :param default_period_ms: Cycle time for those messages; periodic requires a value above 0
        :param stale_after_ms: Timeout for values of received messages without a cycle time; 0 = no
            timeout
        """
        body = {
            "file": file,
            "output": output,
            "overwrite": overwrite,
            "merge": merge,
            "instance": instance,
            "network": network,
            "direction": direction,
            "missing_cycle": missing_cycle,
            "default_period_ms": default_period_ms,
            "stale_after_ms": stale_after_ms,
        }
        return self._call("POST", "/api/v1/gateways/import", body=body, timeout=timeout)

    def gateway_load(
        self,
        file: str,
        *,
        instance: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayInstance:
        """Load a gateway project into an instance.

        The file must be inside the project directory. It is read and validated completely; later
        changes to the file do not affect the instance. Nothing is sent until the instance is
        started.

        :param file: Project to load
        :param instance: Instance name; default: the project ID, else the bench ID. Reserved:
            validate, import, files
        """
        body = {"file": file, "instance": instance}
        return self._call("POST", "/api/v1/gateways", body=body, timeout=timeout)

    def gateway_status(
        self,
        *,
        instance: Optional[str] = None,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Union[records.GatewayInstanceList, records.GatewayInstance]:
        """List the instances, or show one with its tasks.

        Tasks are paged: repeat with offset set to task_next_offset until it equals task_total.
        offset and limit require an instance.

        :param instance: Instance name
        :param offset: Index of the first task
        :param limit: Maximum number of tasks
        """
        query = {"instance": instance, "offset": offset, "limit": limit}
        return self._call("GET", "/api/v1/gateways", query=query, timeout=timeout)

    def gateway_start(
        self,
        instance: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewayInstance:
        """Start an instance.

        Networks are resolved with the caller’s bench, and their channels must be open. If another
        instance already sends one of the messages on the same channel, the whole start is rejected
        and the error names that instance. Statistics are kept across starts.

        :param instance: Instance name
        """
        return self._call("POST", f"/api/v1/gateways/{_segment(instance)}/start", timeout=timeout)

    def gateway_stop(
        self,
        instance: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewayInstance:
        """Stop an instance.

        Waits up to one second for pending transmissions to complete; the rest are counted as
        unconfirmed. An instance that is not running is unchanged.

        :param instance: Instance name
        """
        return self._call("POST", f"/api/v1/gateways/{_segment(instance)}/stop", timeout=timeout)

    def gateway_faults(
        self,
        instance: str,
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayFaultPage:
        """Show the fault rules of an instance.

        Results are paged: repeat with offset set to fault_next_offset until it equals fault_total.
        fired counts since the start, or since the rule was enabled.

        :param instance: Instance name
        :param offset: Index of the first rule
        :param limit: Maximum number of rules
        """
        query = {"offset": offset, "limit": limit}
        return self._call(
            "GET",
            f"/api/v1/gateways/{_segment(instance)}/faults",
            query=query,
            timeout=timeout,
        )

    def gateway_fault_events(
        self,
        instance: str,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayFaultHistory:
        """Show the fault events of an instance.

        Each event is one rule applied to one frame; rules that change the same frame share its
        event_id. The newest 1024 events are retained, also across stop and start. Results are
        paged: repeat with after set to next_after. An after that has expired or lies in the future
        is rejected with cursor_expired: resume from oldest_available - 1.

        :param instance: Instance name
        :param after: Sequence to resume after
        :param limit: Maximum number of events
        """
        query = {"after": after, "limit": limit}
        return self._call(
            "GET",
            f"/api/v1/gateways/{_segment(instance)}/faults/events",
            query=query,
            timeout=timeout,
        )

    def gateway_fault(
        self,
        instance: str,
        rule: str,
        enabled: bool,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewayFault:
        """Enable or disable a fault rule.

        Works while the instance is running. An enabled rule counts its opportunities from that
        moment. Saving the project keeps the setting.

        :param instance: Instance name
        :param rule: Fault rule ID; a rule named events can only be switched from the command line
        :param enabled: Whether the rule is enabled
        """
        body = {"enabled": enabled}
        return self._call(
            "PUT",
            f"/api/v1/gateways/{_segment(instance)}/faults/{_segment(rule)}",
            body=body,
            timeout=timeout,
        )

    def gateway_signals(
        self,
        instance: str,
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewaySignalPage:
        """Show the signals of an instance.

        Results are paged, each page a consistent snapshot: repeat with offset set to
        signal_next_offset until it equals signal_total. Pages with the same snapshot_version show
        the same moment.

        :param instance: Instance name
        :param offset: Index of the first signal
        :param limit: Maximum number of signals
        """
        query = {"offset": offset, "limit": limit}
        return self._call(
            "GET",
            f"/api/v1/gateways/{_segment(instance)}/signals",
            query=query,
            timeout=timeout,
        )

    def gateway_set(
        self,
        instance: str,
        signal: str,
        value: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewaySignal:
        """Set the value of a software signal.

        Only signals with producer software can be set. The value is an exact decimal number as a
        string; 0 or 1 for a bool, the number for an enum.

        :param instance: Instance name
        :param signal: Signal ID
        :param value: Decimal value
        """
        body = {"signal": signal, "value": value}
        return self._call(
            "PUT",
            f"/api/v1/gateways/{_segment(instance)}/signals",
            body=body,
            timeout=timeout,
        )

    def gateway_signal(
        self,
        instance: str,
        signal: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewaySignalRules:
        """Show a signal of an instance with its definition.

        :param instance: Instance name
        :param signal: Signal ID
        """
        return self._call(
            "GET",
            f"/api/v1/gateways/{_segment(instance)}/signals/{_segment(signal)}",
            timeout=timeout,
        )

    def gateway_save(
        self,
        instance: str,
        *,
        file: Optional[str] = None,
        overwrite: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayInstance:
        """Save the project of an instance to a file.

        The file contains the loaded project in normalized form, without values, times, counters or
        requests. It is written atomically. Without file, the project is saved to the file it was
        loaded from; overwrite=false rejects that. Only projects are overwritten; a new file must
        end in .gwproj.

        :param instance: Instance name
        :param file: File to write; default: the file that the instance was loaded from
        :param overwrite: Replace the file if it exists
        """
        body = {"file": file, "overwrite": overwrite}
        return self._call(
            "POST",
            f"/api/v1/gateways/{_segment(instance)}/save",
            body=body,
            timeout=timeout,
        )

    def gateway_unload(
        self,
        instance: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewayInstance:
        """Unload a stopped instance.

        :param instance: Instance name
        """
        return self._call("DELETE", f"/api/v1/gateways/{_segment(instance)}", timeout=timeout)

    def _gateway_stream(
        self,
        instance: str,
        *,
        also: Optional[Union[str, Sequence[str]]] = None,
        include: Optional[Sequence[Literal["tasks", "faults", "fault_events", "observed"]]] = None,
    ) -> StreamRequest:
        """Follow the signals and the status of an instance as server-sent events.

        A signals event contains the instance and its signals as GatewaySignal records. All signals
        are sent first, then those whose value, quality or bindings changed, up to twenty times a
        second. Intermediate changes are skipped: a slow client gets the latest state, never a
        backlog. Observing the same value again is not a change. A status event contains the
        instance without its tasks, as GatewayInstance, once a second. With include, tasks, faults
        and observed events contain the records that changed: all of them first, then updates once a
        second. Tasks are GatewayTask records and faults GatewayFault records, the first 2000 of
        each. An observed event contains first, the index of a signal, and observed_us, the times of
        the last observation of that signal and the following ones, even if the value did not
        change. A fault_events event contains GatewayFaultEvent records by sequence: first the
        retained ones, then new ones up to twenty times a second; an event is sent again when its
        event_id is known. An end event says why an instance ended: it was unloaded, or the service
        shut_down. The stream ends with the last instance.

        :param instance: Instance name
        :param also: Additional instances to stream on the same connection
        :param include: Events to include in addition to signals and status
        """
        query = {"also": also, "include": include}
        return StreamRequest(f"/api/v1/gateways/{_segment(instance)}/stream", query=query)

    def gateway_graph(
        self,
        instance: str,
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayGraphPage:
        """Show the signal flow of an instance, from endpoints to tasks.

        Nodes first, then the edges between them. Results are paged: repeat with offset set to
        element_next_offset until it equals element_total. Edges point in the direction of the data
        flow.

        :param instance: Instance name
        :param offset: Index of the first element
        :param limit: Maximum number of elements
        """
        query = {"offset": offset, "limit": limit}
        return self._call(
            "GET",
            f"/api/v1/gateways/{_segment(instance)}/graph",
            query=query,
            timeout=timeout,
        )

    def signal_list(
        self,
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SignalListAnswer:
        """List the active signal plans.

        Results are paged: repeat with offset set to plan_next_offset until it equals plan_total.
        The response size limit may shorten a page.

        :param offset: Index of the first plan
        :param limit: Maximum number of plans
        """
        query = {"offset": offset, "limit": limit}
        return self._call("GET", "/api/v1/signals", query=query, timeout=timeout)

    def signal_plan_create(
        self,
        channel: str,
        *,
        database: Optional[str] = None,
        message: Optional[Union[str, int]] = None,
        signals: Optional[Sequence[str]] = None,
        source_address: Optional[int] = None,
        history: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SignalPlan:
        """Decode a message on a channel, or all messages of databases.

        Signal plans belong to the Web service and end with it. Every frame of the message on the
        channel, received or sent, gives one sample for each signal in it. J1939 messages are
        matched by parameter group number, regardless of priority and addresses; source_address
        restricts them to one sender. Signals that cannot be decoded are omitted and reported.

        :param channel: Channel to decode: <sn>/<port>, <uid>/<port>, name, network or slot
        :param database: Name of a loaded database; default: those attached to the channel now
        :param message: Message, by name or by identifier: a number, or a string in printed hex;
            default: every message
        :param signals: Signals to decode, without message as Message.Signal, where * stands for any
            part of a name; default: all
        :param source_address: J1939 source address to decode; default: all
        :param history: Samples to retain per signal
        """
        body = {
            "channel": channel,
            "database": database,
            "message": message,
            "signals": signals,
            "source_address": source_address,
            "history": history,
        }
        return self._call("POST", "/api/v1/signals/plans", body=body, timeout=timeout)

    def signal_plan_delete(
        self,
        plan_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.SignalPlan:
        """Delete a signal plan and its samples.

        :param plan_id: Signal plan ID
        """
        return self._call("DELETE", f"/api/v1/signals/plans/{_segment(plan_id)}", timeout=timeout)

    def signal_latest(
        self,
        plan: str,
        signal: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.SignalSample:
        """Show the latest sample of a signal.

        :param plan: Signal plan ID
        :param signal: Name of a signal of the plan
        """
        query = {"plan": plan, "signal": signal}
        return self._call("GET", "/api/v1/signals/latest", query=query, timeout=timeout)

    def signal_history(
        self,
        plan: str,
        signal: str,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SignalHistory:
        """Read past samples of a signal.

        Results are paged: repeat with after set to next_after. An after that has expired or lies in
        the future is rejected with cursor_expired: resume from oldest_available - 1.

        :param plan: Signal plan ID
        :param signal: Name of a signal of the plan
        :param after: Sequence to resume after
        :param limit: Maximum number of samples
        """
        query = {"plan": plan, "signal": signal, "after": after, "limit": limit}
        return self._call("GET", "/api/v1/signals/history", query=query, timeout=timeout)

    def _signal_stream(
        self,
        *,
        plan: Optional[Union[str, Sequence[str]]] = None,
        signal: Optional[Union[str, Sequence[str]]] = None,
        after: Optional[int] = None,
    ) -> StreamRequest:
        """Stream signal samples as server-sent events.

        Each sample event has the sequence as its id and a SignalSample as its data; a gap event
        reports lost samples as a GapEvent. Starts after Last-Event-ID, else after the after
        parameter, else with the next sample.

        :param plan: Signal plans to stream; default: all current plans
        :param signal: Signals to stream, by name; default: all signals of the plans
        :param after: Sequence to resume after
        """
        query = {"plan": plan, "signal": signal, "after": after}
        return StreamRequest("/api/v1/signals/stream", query=query)

    def pdu_history(
        self,
        *,
        channel: Optional[Union[str, Sequence[str]]] = None,
        protocol: Optional[Sequence[Literal["j1939", "isotp", "lin"]]] = None,
        pgn: Optional[Union[str, Sequence[str]]] = None,
        id: Optional[Union[str, Sequence[str]]] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.PduHistory:
        """Read past reassembled payloads.

        A PDU is a payload reassembled from frames. J1939: transfers by TP.BAM, TP.CM and ETP, and
        DM1 and DM2 in single frames. ISO-TP: messages on the identifiers of ECUs in the bench file,
        7DF, 7E0 to 7EF, 18DA, 18DB, 18CD and 18CE, and on pairs found by a first frame, its flow
        control and a consecutive frame. LIN: the transport layer in 3C and 3D. Transfers that are
        incomplete have another status and no data. The newest 4096 are available, or fewer if they
        exceed 16 MiB. Results are paged: repeat with after set to next_after. An after that has
        expired or lies in the future is rejected with cursor_expired: resume from oldest_available
        - 1.

        :param channel: Channels to receive from, by any selector; default: all
        :param protocol: Protocols to include; default: all
        :param pgn: J1939 parameter groups to include: decimal, or hex with 0x
        :param id: Identifiers of ISO-TP and LIN to include, in hex as printed; J1939 PDUs have none
        :param after: Sequence to resume after
        :param limit: Maximum number of PDUs; the response size limit may reduce it
        """
        query = {
            "channel": channel,
            "protocol": protocol,
            "pgn": pgn,
            "id": id,
            "after": after,
            "limit": limit,
        }
        return self._call("GET", "/api/v1/pdus/history", query=query, timeout=timeout)

    def _pdu_stream(
        self,
        *,
        channel: Optional[Union[str, Sequence[str]]] = None,
        protocol: Optional[Sequence[Literal["j1939", "isotp", "lin"]]] = None,
        pgn: Optional[Union[str, Sequence[str]]] = None,
        id: Optional[Union[str, Sequence[str]]] = None,
        after: Optional[int] = None,
    ) -> StreamRequest:
        """Stream reassembled payloads as server-sent events.

        Each pdu event has the sequence as its id and a Pdu as its data; a gap event reports lost
        PDUs as a GapEvent. Starts after Last-Event-ID, else after the after parameter, else with
        the next PDU.

        :param channel: Channels to receive from, by any selector; default: all
        :param protocol: Protocols to include; default: all
        :param pgn: J1939 parameter groups to include: decimal, or hex with 0x
        :param id: Identifiers of ISO-TP and LIN to include, in hex as printed; J1939 PDUs have none
        :param after: Sequence to resume after
        """
        query = {"channel": channel, "protocol": protocol, "pgn": pgn, "id": id, "after": after}
        return StreamRequest("/api/v1/pdus/stream", query=query)

    def j1939_send(
        self,
        channel: str,
        *,
        pgn: Optional[Union[int, str]] = None,
        source: Optional[Union[int, str]] = None,
        destination: Optional[Union[int, str]] = None,
        priority: Optional[int] = None,
        data: Optional[str] = None,
        message: Optional[str] = None,
        signals: Optional[Dict[str, str]] = None,
        raw: Optional[bool] = None,
        database: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> records.J1939Send:
        """Send a J1939 message.

        Up to 8 bytes are sent as one frame, up to 1785 bytes as TP.BAM to all nodes or as TP.CM
        with RTS and CTS to one address. Returns when the last frame was sent, or when the receiver
        acknowledged the transfer. A broadcast pauses 50 ms between its frames. A message by name is
        encoded from its signals; its parameter group, and addresses and priority that are omitted,
        come from the database.

        :param channel: CAN channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
        :param pgn: Parameter group number, required unless a message is named: decimal, or hex with
            0x
        :param source: Source address, required unless a message is named; default: its own:
            decimal, or hex with 0x
        :param destination: Destination address; default: 255, which is all nodes, or that of the
            message: decimal, or hex with 0x
        :param priority: Priority of a single frame, 0 is the highest; transfers use 7. Default: 6,
            or that of the message
        :param data: Payload in hex, required unless a message is named; spaces and separators
            between bytes are allowed
        :param message: Message of an attached database, instead of a frame: identifier, format and
            length come from there
        :param signals: Values by signal name: a decimal number is a physical value, other text a
            label. JSON numbers are refused, because they are not exact
        :param raw: Whether numbers in signals are raw values, which only their bits limit; default:
            false
        :param database: Database of the message; default: the only attached one that has it
        """
        body = {
            "channel": channel,
            "pgn": pgn,
            "source": source,
            "destination": destination,
            "priority": priority,
            "data": data,
            "message": message,
            "signals": signals,
            "raw": raw,
            "database": database,
        }
        return self._call("POST", "/api/v1/j1939/send", body=body, timeout=timeout)

    def j1939_claim(
        self,
        channel: str,
        name: str,
        address: Union[int, str],
        *,
        timeout: Optional[float] = None,
    ) -> records.J1939Claim:
        """Claim a J1939 address and hold it.

        Returns when no node has objected for 250 ms. The claim is then defended against higher
        NAMEs and requests for it are answered, until it is released or the channel is closed. A
        lower NAME takes the address: a NAME with the arbitrary address bit (63) then claims the
        next free address from 128 to 247; otherwise the claim fails, or is later shown as
        cannot_claim.

        :param channel: CAN channel to claim on: <sn>/<port>, <uid>/<port>, name, network or slot
        :param name: NAME of the node: 16 hex digits, most significant first
        :param address: Address to claim: decimal, or hex with 0x
        """
        body = {"channel": channel, "name": name, "address": address}
        return self._call("POST", "/api/v1/j1939/claims", body=body, timeout=timeout)

    def j1939_list(
        self,
        *,
        channel: Optional[Union[str, Sequence[str]]] = None,
        timeout: Optional[float] = None,
    ) -> records.J1939Addresses:
        """List the J1939 addresses that nodes have claimed.

        claims are those of this daemon. nodes are known from their claims on open channels: a node
        that has sent none since the channel was opened is missing. A request for parameter group
        0xEE00 makes all nodes claim again.

        :param channel: Channels to list, by any selector; default: all
        """
        query = {"channel": channel}
        return self._call("GET", "/api/v1/j1939/claims", query=query, timeout=timeout)

    def j1939_release(
        self,
        claim_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.J1939Claim:
        """Stop holding a J1939 address.

        Nothing is sent: another node gets the address when it claims it.

        :param claim_id: Claim ID
        """
        return self._call("DELETE", f"/api/v1/j1939/claims/{_segment(claim_id)}", timeout=timeout)

    def isotp_list(self, *, timeout: Optional[float] = None) -> records.IsotpListAnswer:
        """List the diagnostic links.

        Lists open links and the ECUs of the bench file, whose links are closed until their first
        request.
        """
        return self._call("GET", "/api/v1/diagnostics", timeout=timeout)

    def isotp_open(
        self,
        channel: str,
        name: str,
        *,
        nad: Optional[int] = None,
        request_id: Optional[Union[int, str]] = None,
        response_id: Optional[Union[int, str]] = None,
        functional_id: Optional[Union[int, str]] = None,
        extended: Optional[bool] = None,
        addressing: Optional[Literal["normal", "normal_fixed", "extended", "mixed"]] = None,
        source: Optional[Union[int, str]] = None,
        target: Optional[Union[int, str]] = None,
        functional_target: Optional[Union[int, str]] = None,
        address_extension: Optional[Union[int, str]] = None,
        fd: Optional[bool] = None,
        brs: Optional[bool] = None,
        tx_dl: Optional[Literal[8, 12, 16, 20, 24, 32, 48, 64]] = None,
        padding: Optional[str] = None,
        block_size: Optional[int] = None,
        st_min_us: Optional[int] = None,
        max_length: Optional[int] = None,
        p2_ms: Optional[int] = None,
        p2_star_ms: Optional[int] = None,
        n_as_ms: Optional[int] = None,
        n_bs_ms: Optional[int] = None,
        n_cr_ms: Optional[int] = None,
        wait_max: Optional[int] = None,
        dids: Optional[Union[str, Dict[str, records.DiagnosticLinkRequestDids]]] = None,
        seed_key: Optional[records.DiagnosticLinkRequestSeedKey] = None,
        timeout: Optional[float] = None,
    ) -> records.DiagnosticLink:
        """Open a diagnostic link to an ECU that the bench file does not name.

        The link lasts until it is closed. When its channel closes or its device is lost, it waits
        for the channel to come back. normal_fixed addressing, and mixed with 29 bits, need source
        and target instead of identifiers.

        :param channel: CAN channel, or LIN channel with nad: <sn>/<port>, <uid>/<port>, name,
            network or slot
        :param name: Name for the ECU
        :param nad: Node address of an ECU on LIN. Requests use the MasterReq and SlaveResp slots of
            the running schedule
        :param request_id: Identifier of requests; a string is hex as printed
        :param response_id: Identifier of responses; a string is hex as printed
        :param functional_id: Identifier of functional requests; a string is hex as printed
        :param extended: Whether identifiers have 29 bits; default: whether one of them needs them
        :param addressing: Addressing of ISO 15765-2; normal_fixed, and mixed with 29 bits, derive
            the identifiers from source and target; default: normal
        :param source: Address of the tester; a string is hex
        :param target: Address of the ECU; a string is hex
        :param functional_target: Address of functional requests in extended addressing; default:
            target; a string is hex
        :param address_extension: Address extension of mixed addressing; a string is hex
        :param fd: CAN FD frames; default: false
        :param brs: Data at the data bit rate; default: whether fd is true
        :param tx_dl: Longest frame sent, in bytes; default: 8, or 64 with fd
        :param padding: Byte that fills frames, in hex, or none; default: CC
        :param block_size: Frames that the ECU may send before the next flow control; default: 0,
            all
        :param st_min_us: STmin of our flow control in microseconds: 100 to 900, or whole
            milliseconds up to 127000; default: 0
        :param max_length: Longest response in bytes; default: 4095
        :param p2_ms: P2: time until a response begins; default: 50
        :param p2_star_ms: P2*: the same after a pending response; default: 5000
        :param n_as_ms: N_As: time to send a frame; default: 1000
        :param n_bs_ms: N_Bs: time until a flow control; default: 1000
        :param n_cr_ms: N_Cr: time until the next consecutive frame; default: 1000
        :param wait_max: Wait frames accepted in a row; default: 0, any number
        :param dids: Data identifiers with names and codecs, or the file that contains them
        :param seed_key: Function that computes keys for security access
        """
        body = {
            "channel": channel,
            "name": name,
            "nad": nad,
            "request_id": request_id,
            "response_id": response_id,
            "functional_id": functional_id,
            "extended": extended,
            "addressing": addressing,
            "source": source,
            "target": target,
            "functional_target": functional_target,
            "address_extension": address_extension,
            "fd": fd,
            "brs": brs,
            "tx_dl": tx_dl,
            "padding": padding,
            "block_size": block_size,
            "st_min_us": st_min_us,
            "max_length": max_length,
            "p2_ms": p2_ms,
            "p2_star_ms": p2_star_ms,
            "n_as_ms": n_as_ms,
            "n_bs_ms": n_bs_ms,
            "n_cr_ms": n_cr_ms,
            "wait_max": wait_max,
            "dids": dids,
            "seed_key": seed_key,
        }
        return self._call("POST", "/api/v1/diagnostics", body=body, timeout=timeout)

    def isotp_show(self, ecu: str, *, timeout: Optional[float] = None) -> records.DiagnosticLink:
        """Show a diagnostic link with its settings, session and counters.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        """
        return self._call("GET", f"/api/v1/diagnostics/{_segment(ecu)}", timeout=timeout)

    def isotp_close(self, ecu: str, *, timeout: Optional[float] = None) -> records.DiagnosticLink:
        """Close a diagnostic link.

        Requests to the ECU are cancelled. The next request to an ECU of the bench file opens its
        link again.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        """
        return self._call("DELETE", f"/api/v1/diagnostics/{_segment(ecu)}", timeout=timeout)

    def uds_request(
        self,
        ecu: str,
        *,
        data: Optional[str] = None,
        file: Optional[str] = None,
        protocol: Optional[Literal["uds", "isotp"]] = None,
        wait: Optional[bool] = None,
        functional: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.DiagnosticResponse:
        """Send a request to an ECU and return its response.

        Requests to one ECU are sent one at a time, in order; at most 32 wait. A negative response
        is a result, and the command then exits with 1. With the suppress bit, silence for P2 is
        success. Response pending (0x78) extends the time to P2*.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param data: Request in hex, at most 30000 bytes; spaces and separators between bytes are
            allowed
        :param file: File of the project whose bytes are the request, instead of data
        :param protocol: Protocol of the request; with isotp, any payload is sent and the first one
            received is the response
        :param wait: Await the response; otherwise return when the request is sent
        :param functional: Send to functional_id: the request fits one frame, and responses of all
            ECUs are collected for P2
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {
            "data": data,
            "file": file,
            "protocol": protocol,
            "wait": wait,
            "functional": functional,
            "timeout_ms": timeout_ms,
        }
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/requests",
            body=body,
            timeout=timeout,
        )

    def uds_session(
        self,
        ecu: str,
        session: Union[int, str],
        *,
        suppress: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsSessionAnswer:
        """Change the diagnostic session of an ECU (10).

        P2 and P2* of the response apply until the session changes. Without requests or
        TesterPresent the ECU returns to the default session after 5 s.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param session: Session: default, programming, extended or a number
        :param suppress: Set the suppress bit: the ECU sends no positive response
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"session": session, "suppress": suppress, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/session",
            body=body,
            timeout=timeout,
        )

    def uds_reset(
        self,
        ecu: str,
        *,
        reset: Optional[Union[int, str]] = None,
        suppress: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsResetAnswer:
        """Reset an ECU (11).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param reset: Kind of reset: hard, key, soft or a number
        :param suppress: Set the suppress bit: the ECU sends no positive response
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"reset": reset, "suppress": suppress, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/reset",
            body=body,
            timeout=timeout,
        )

    def uds_read(
        self,
        ecu: str,
        dids: Sequence[str],
        *,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsReadAnswer:
        """Read data identifiers (22).

        Identifiers with a name and a codec in dids of the ECU are returned as text. The command
        prints the value of one identifier alone, of several with their names; it exits with 1 if
        one has neither a value nor a label. To read several, all but the last must have a length
        there.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param dids: Data identifiers
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"dids": dids, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/read",
            body=body,
            timeout=timeout,
        )

    def uds_write(
        self,
        ecu: str,
        did: str,
        value: str,
        *,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsWriteAnswer:
        """Write a data identifier (2E).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param did: Data identifier: its name in dids of the ECU, or four hex digits
        :param value: Value by the codec of the identifier; hex without one
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"did": did, "value": value, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/write",
            body=body,
            timeout=timeout,
        )

    def uds_dtc(
        self,
        ecu: str,
        *,
        mask: Optional[Union[int, str]] = None,
        snapshot: Optional[str] = None,
        extended: Optional[str] = None,
        record: Optional[int] = None,
        count: Optional[bool] = None,
        supported: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsDtcAnswer:
        """Read diagnostic trouble codes (19).

        Lists DTCs by status mask. count returns only their number, supported all that the ECU
        knows; snapshot and extended return the records of one DTC.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param mask: Status bits, any of which a DTC has; a string is hex; default: FF
        :param snapshot: DTC whose snapshot records to read: six hex digits, or text such as
            P0123-45
        :param extended: DTC whose extended data to read: six hex digits, or text such as P0123-45
        :param record: Number of the record; default: 255, all
        :param count: Only the number of DTCs
        :param supported: All DTCs that the ECU supports
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {
            "mask": mask,
            "snapshot": snapshot,
            "extended": extended,
            "record": record,
            "count": count,
            "supported": supported,
            "timeout_ms": timeout_ms,
        }
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/dtc",
            body=body,
            timeout=timeout,
        )

    def uds_clear(
        self,
        ecu: str,
        *,
        group: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsClearAnswer:
        """Clear diagnostic trouble codes (14).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param group: DTC or group of DTCs; default: FFFFFF, all: six hex digits, or text such as
            P0123-45
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"group": group, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/clear",
            body=body,
            timeout=timeout,
        )

    def uds_routine(
        self,
        ecu: str,
        action: Literal["start", "stop", "result"],
        routine: str,
        *,
        data: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsRoutineAnswer:
        """Start or stop a routine, or read its result (31).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param action: What to do
        :param routine: Routine identifier, four hex digits
        :param data: Bytes after the identifier in hex
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"action": action, "routine": routine, "data": data, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/routine",
            body=body,
            timeout=timeout,
        )

    def uds_security(
        self,
        ecu: str,
        level: int,
        *,
        key: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsSecurityAnswer:
        """Unlock a security level (27).

        Requests a seed and sends the key that seed_key of the ECU computes in a separate process.
        Without it the seed is the result, and key answers it in a second call.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param level: Odd sub-function that requests the seed
        :param key: Key in hex
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"level": level, "key": key, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/security",
            body=body,
            timeout=timeout,
        )

    def uds_communication(
        self,
        ecu: str,
        control: Union[int, str],
        *,
        type: Optional[Union[int, str]] = None,
        node: Optional[int] = None,
        suppress: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsCommunicationAnswer:
        """Enable or disable messages of an ECU (28).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param control: What the ECU receives and sends: enable-rx-tx, enable-rx, enable-tx,
            disable-rx-tx or a number
        :param type: Kind of messages: normal, network, both or a number
        :param node: Node of the controls 4 and 5
        :param suppress: Set the suppress bit: the ECU sends no positive response
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {
            "control": control,
            "type": type,
            "node": node,
            "suppress": suppress,
            "timeout_ms": timeout_ms,
        }
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/communication",
            body=body,
            timeout=timeout,
        )

    def uds_dtc_setting(
        self,
        ecu: str,
        setting: Union[int, str],
        *,
        suppress: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsDtcSettingAnswer:
        """Let an ECU store DTCs, or not (85).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param setting: Setting: on, off or a number
        :param suppress: Set the suppress bit: the ECU sends no positive response
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"setting": setting, "suppress": suppress, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/dtc-setting",
            body=body,
            timeout=timeout,
        )

    def uds_io(
        self,
        ecu: str,
        did: str,
        control: Literal["return", "default", "freeze", "adjust"],
        *,
        value: Optional[str] = None,
        mask: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsIoAnswer:
        """Control an input or output (2F).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param did: Data identifier: its name in dids of the ECU, or four hex digits
        :param control: What to do: return gives control back to the ECU, adjust needs a value
        :param value: Value to adjust to, by the codec of the identifier
        :param mask: Control mask in hex
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {
            "did": did,
            "control": control,
            "value": value,
            "mask": mask,
            "timeout_ms": timeout_ms,
        }
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/io",
            body=body,
            timeout=timeout,
        )

    def uds_memory_read(
        self,
        ecu: str,
        address: int,
        size: int,
        *,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsMemoryReadAnswer:
        """Read memory by address (23).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param address: First address
        :param size: Bytes to read
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"address": address, "size": size, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/memory-read",
            body=body,
            timeout=timeout,
        )

    def uds_memory_write(
        self,
        ecu: str,
        address: int,
        data: str,
        *,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.UdsMemoryWriteAnswer:
        """Write memory by address (3D).

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param address: First address
        :param data: Bytes to write in hex
        :param timeout_ms: Time limit of a request in milliseconds, with all its pending responses;
            P2 and P2* also apply
        """
        body = {"address": address, "data": data, "timeout_ms": timeout_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/memory-write",
            body=body,
            timeout=timeout,
        )

    def uds_tester_present(
        self,
        ecu: str,
        *,
        enabled: Optional[bool] = None,
        period_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.DiagnosticLink:
        """Send TesterPresent (3E 80) periodically, or stop.

        Keeps the session of an ECU while no script sends requests. Sent to functional_id, also
        while a request is pending; without one it is sent to the ECU, but not while a request is
        being sent. Ends with the link and with its channel.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param enabled: Whether to send it
        :param period_ms: Period in milliseconds
        """
        body = {"enabled": enabled, "period_ms": period_ms}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/tester-present",
            body=body,
            timeout=timeout,
        )

    def uds_flash(
        self,
        ecu: str,
        file: str,
        sequence: str,
        *,
        address: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.Job:
        """Flash an ECU with an image by a sequence of steps.

        A job: its progress has bytes and percent, its result is a report. The command waits for it,
        and Ctrl-C cancels it; over HTTP the job is returned immediately. Steps are requests,
        session, security, download and others, see schemas/flash-sequence.schema.json. Other
        requests to the ECU wait until the job ends. A job that fails or is cancelled cannot be
        resumed.

        :param ecu: ECU: a name of the bench file, or of a link that was opened
        :param file: Image in the project: Intel HEX, S-records, or .bin with address
        :param sequence: File of the project with the steps
        :param address: Address of the first byte of a .bin file
        """
        body = {"file": file, "sequence": sequence, "address": address}
        return self._call(
            "POST",
            f"/api/v1/diagnostics/{_segment(ecu)}/flash",
            body=body,
            timeout=timeout,
        )

    def ecu_serve(
        self,
        channel: str,
        file: str,
        *,
        ecu: Optional[str] = None,
        nad: Optional[int] = None,
        request_id: Optional[Union[int, str]] = None,
        response_id: Optional[Union[int, str]] = None,
        functional_id: Optional[Union[int, str]] = None,
        extended: Optional[bool] = None,
        addressing: Optional[Literal["normal", "normal_fixed", "extended", "mixed"]] = None,
        source: Optional[Union[int, str]] = None,
        target: Optional[Union[int, str]] = None,
        functional_target: Optional[Union[int, str]] = None,
        address_extension: Optional[Union[int, str]] = None,
        fd: Optional[bool] = None,
        brs: Optional[bool] = None,
        tx_dl: Optional[Literal[8, 12, 16, 20, 24, 32, 48, 64]] = None,
        padding: Optional[str] = None,
        block_size: Optional[int] = None,
        st_min_us: Optional[int] = None,
        max_length: Optional[int] = None,
        p2_ms: Optional[int] = None,
        p2_star_ms: Optional[int] = None,
        n_as_ms: Optional[int] = None,
        n_bs_ms: Optional[int] = None,
        n_cr_ms: Optional[int] = None,
        wait_max: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SimulatedEcu:
        """Simulate an ECU that answers diagnostic requests.

        It answers on a channel of its own bus, which is not the channel of the link to it, until it
        is stopped or the channel closes. Identifiers are those of an ECU of the bench file, or
        given as for a link. On LIN, the channel is a slave.

        :param channel: Channel of the ECU: <sn>/<port>, <uid>/<port>, name, network or slot
        :param file: File of the project that describes the ECU (schemas/ecu.schema.json)
        :param ecu: ECU of the bench file whose identifiers and settings it has
        :param nad: Node address of an ECU on LIN. Requests use the MasterReq and SlaveResp slots of
            the running schedule
        :param request_id: Identifier of requests; a string is hex as printed
        :param response_id: Identifier of responses; a string is hex as printed
        :param functional_id: Identifier of functional requests; a string is hex as printed
        :param extended: Whether identifiers have 29 bits; default: whether one of them needs them
        :param addressing: Addressing of ISO 15765-2; normal_fixed, and mixed with 29 bits, derive
            the identifiers from source and target; default: normal
        :param source: Address of the tester; a string is hex
        :param target: Address of the ECU; a string is hex
        :param functional_target: Address of functional requests in extended addressing; default:
            target; a string is hex
        :param address_extension: Address extension of mixed addressing; a string is hex
        :param fd: CAN FD frames; default: false
        :param brs: Data at the data bit rate; default: whether fd is true
        :param tx_dl: Longest frame sent, in bytes; default: 8, or 64 with fd
        :param padding: Byte that fills frames, in hex, or none; default: CC
        :param block_size: Frames that the ECU may send before the next flow control; default: 0,
            all
        :param st_min_us: STmin of our flow control in microseconds: 100 to 900, or whole
            milliseconds up to 127000; default: 0
        :param max_length: Longest response in bytes; default: 4095
        :param p2_ms: P2: time until a response begins; default: 50
        :param p2_star_ms: P2*: the same after a pending response; default: 5000
        :param n_as_ms: N_As: time to send a frame; default: 1000
        :param n_bs_ms: N_Bs: time until a flow control; default: 1000
        :param n_cr_ms: N_Cr: time until the next consecutive frame; default: 1000
        :param wait_max: Wait frames accepted in a row; default: 0, any number
        """
        body = {
            "channel": channel,
            "file": file,
            "ecu": ecu,
            "nad": nad,
            "request_id": request_id,
            "response_id": response_id,
            "functional_id": functional_id,
            "extended": extended,
            "addressing": addressing,
            "source": source,
            "target": target,
            "functional_target": functional_target,
            "address_extension": address_extension,
            "fd": fd,
            "brs": brs,
            "tx_dl": tx_dl,
            "padding": padding,
            "block_size": block_size,
            "st_min_us": st_min_us,
            "max_length": max_length,
            "p2_ms": p2_ms,
            "p2_star_ms": p2_star_ms,
            "n_as_ms": n_as_ms,
            "n_bs_ms": n_bs_ms,
            "n_cr_ms": n_cr_ms,
            "wait_max": wait_max,
        }
        return self._call("POST", "/api/v1/simulated-ecus", body=body, timeout=timeout)

    def ecu_list(self, *, timeout: Optional[float] = None) -> records.EcuListAnswer:
        """List the simulated ECUs."""
        return self._call("GET", "/api/v1/simulated-ecus", timeout=timeout)

    def ecu_stop(self, ecu_id: str, *, timeout: Optional[float] = None) -> records.SimulatedEcu:
        """Stop a simulated ECU.

        :param ecu_id: ID of the simulated ECU
        """
        return self._call("DELETE", f"/api/v1/simulated-ecus/{_segment(ecu_id)}", timeout=timeout)

    def lin_schedule_start(
        self,
        channel: str,
        table: str,
        *,
        database: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> records.LinSchedule:
        """Run a schedule table of an LDF on a LIN master.

        The channel sends the header of each slot when the slot starts. Frames of the master have
        their current signal values, initially those of the database; frames of slaves are read. A
        sporadic frame is sent when one of its signals was set since, and MasterReq likewise. A
        collision of an event-triggered frame runs its collision table once. Other frames are sent
        in the rest of a slot that is long enough for them. One schedule can run on a channel, and
        it excludes cyclic tasks. It ends when it is stopped or its channel is closed.

        :param channel: LIN master: <sn>/<port>, <uid>/<port>, name, network or slot
        :param table: Schedule table of an attached database
        :param database: Loaded LDF with the names; default: the first attached one that has them
        """
        body = {"channel": channel, "table": table, "database": database}
        return self._call("POST", "/api/v1/lin-schedules", body=body, timeout=timeout)

    def lin_schedule_list(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> records.LinScheduleListAnswer:
        """List the LIN schedules."""
        return self._call("GET", "/api/v1/lin-schedules", timeout=timeout)

    def lin_schedule_switch(
        self,
        schedule_id: str,
        *,
        table: Optional[str] = None,
        signals: Optional[Dict[str, str]] = None,
        raw: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.LinSchedule:
        """Switch the table of a LIN schedule.

        The new table begins with the next slot. signals changes what the master publishes: all
        values change together, in the next frames. Either all changes are made, or none.

        :param schedule_id: Schedule ID, or selector of its channel
        :param table: Table to switch to
        :param signals: Values by signal name: a decimal number is a physical value, other text a
            label. JSON numbers are refused, because they are not exact
        :param raw: Whether numbers in signals are raw values, which only their bits limit; default:
            false
        """
        body = {"table": table, "signals": signals, "raw": raw}
        return self._call(
            "PATCH",
            f"/api/v1/lin-schedules/{_segment(schedule_id)}",
            body=body,
            timeout=timeout,
        )

    def lin_schedule_stop(
        self,
        schedule_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.LinSchedule:
        """Stop a LIN schedule and show its final counters.

        :param schedule_id: Schedule ID, or selector of its channel
        """
        return self._call(
            "DELETE",
            f"/api/v1/lin-schedules/{_segment(schedule_id)}",
            timeout=timeout,
        )

    def lin_simulate(
        self,
        selector: str,
        nodes: Sequence[str],
        *,
        database: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> records.LinSimulateAnswer:
        """Publish the responses of LIN slaves.

        Adds a task that responds to the header of each unconditional frame that the nodes publish,
        with initial values. tx-task set changes their signals, and tx-task remove ends them. All
        tasks are added, or none.

        :param selector: Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot;
            in a path, write / as %2F
        :param nodes: Slaves of an attached LDF
        :param database: Loaded LDF with the names; default: the first attached one that has them
        """
        body = {"nodes": nodes, "database": database}
        return self._call(
            "POST",
            f"/api/v1/channels/{_segment(selector)}/lin-simulation",
            body=body,
            timeout=timeout,
        )

    def logging_start(
        self,
        file: str,
        *,
        channels: Optional[Sequence[str]] = None,
        format: Optional[Literal["asc", "blf", "candump", "mf4"]] = None,
        overwrite: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.Logging:
        """Log channels to a trace file.

        Logging begins when this call returns. The file must be inside the project directory, must
        not have the extension of another format than format, which is ASC by default, and must not
        be the trace being replayed. With channels, logging ends when all of them are closed;
        without, it logs all channels, including new ones, until it is stopped. Events lost because
        the disk is too slow are counted and marked in the file. If the file is removed or can no
        longer be written, logging ends as failed; what was written stays readable.

        :param file: File to write
        :param channels: Channels to log, by any selector; default: all
        :param format: File format; a given one allows any file name
        :param overwrite: Replace the file if it exists
        """
        body = {"file": file, "channels": channels, "format": format, "overwrite": overwrite}
        return self._call("POST", "/api/v1/logging", body=body, timeout=timeout)

    def logging_status(self, *, timeout: Optional[float] = None) -> records.Logging:
        """Show the current or last logging session."""
        return self._call("GET", "/api/v1/logging", timeout=timeout)

    def logging_stop(self, *, timeout: Optional[float] = None) -> records.Logging:
        """Stop logging and complete the file.

        The file contains every event up to this call. If nothing is being logged, this returns the
        last session unchanged.
        """
        return self._call("DELETE", "/api/v1/logging", timeout=timeout)

    def recorder_add(
        self,
        name: str,
        file: str,
        *,
        channels: Optional[Sequence[str]] = None,
        format: Optional[Literal["asc", "blf", "candump", "mf4"]] = None,
        split: Optional[records.RecorderRequestSplit] = None,
        keep: Optional[records.RecorderRequestKeep] = None,
        compress: Optional[bool] = None,
        embed_databases: Optional[bool] = None,
        trigger: Optional[records.RecorderRequestTrigger] = None,
        sync_seconds: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.Recorder:
        """Add a recorder.

        Writes channels to a series of trace files, independent of logging and of other recorders;
        at most 16 can exist. It records from recorder start, with a trigger from the time that its
        start condition is met. Each file is complete on its own, and nothing is overwritten. When
        the disk is full the recorder waits, counts the events that it misses and marks the gap in
        the file. It exists until it is removed or the daemon ends; those of the bench file are
        started with the daemon.

        :param name: Name of the recorder
        :param file: Pattern of the files, inside the project directory: {name}, {bench}, {date} and
            {time} in UTC, {n} = number of the file
        :param channels: Channels to record, by any selector; default: all, including new ones
        :param format: File format; default: from the extension
        :param split: When the next file begins. The file needs {n} in its name; {} = one file
        :param keep: How much is kept, at most 10000 files: older files that this recorder wrote are
            deleted; {} = all files
        :param compress: Compress each file when it is complete: ASC and candump logs with gzip, MF4
            inside; default: false
        :param embed_databases: MF4: attach the databases of the channels to each file; default:
            false
        :param trigger: Conditions that start and stop the recording; {} = none. Each recording
            begins the next file if the name has {n}; otherwise all are in one file
        :param sync_seconds: Maximum age of events that a power failure can cost; default: 1
        """
        body = {
            "name": name,
            "file": file,
            "channels": channels,
            "format": format,
            "split": split,
            "keep": keep,
            "compress": compress,
            "embed_databases": embed_databases,
            "trigger": trigger,
            "sync_seconds": sync_seconds,
        }
        return self._call("POST", "/api/v1/recorders", body=body, timeout=timeout)

    def recorder_list(self, *, timeout: Optional[float] = None) -> records.RecorderListAnswer:
        """List the recorders, without their files."""
        return self._call("GET", "/api/v1/recorders", timeout=timeout)

    def recorder_show(self, name: str, *, timeout: Optional[float] = None) -> records.Recorder:
        """Show a recorder with its settings and latest files.

        :param name: Name of the recorder
        """
        return self._call("GET", f"/api/v1/recorders/{_segment(name)}", timeout=timeout)

    def recorder_update(
        self,
        name: str,
        *,
        file: Optional[str] = None,
        channels: Optional[Sequence[str]] = None,
        format: Optional[Literal["asc", "blf", "candump", "mf4"]] = None,
        split: Optional[records.RecorderChangeSplit] = None,
        keep: Optional[records.RecorderChangeKeep] = None,
        compress: Optional[bool] = None,
        embed_databases: Optional[bool] = None,
        trigger: Optional[records.RecorderChangeTrigger] = None,
        sync_seconds: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.Recorder:
        """Change the settings of a recorder that is stopped.

        Settings that are not named stay. {} removes split, keep or trigger, and an empty list of
        channels selects all. A new file also changes the format to that of its extension. Changes
        of a recorder of the bench file last until the daemon ends.

        :param name: Name of the recorder
        :param file: Pattern of the files, inside the project directory: {name}, {bench}, {date} and
            {time} in UTC, {n} = number of the file
        :param channels: Channels to record, by any selector; [] = all, including new ones
        :param format: File format; default: from the extension
        :param split: When the next file begins. The file needs {n} in its name; {} = one file
        :param keep: How much is kept, at most 10000 files: older files that this recorder wrote are
            deleted; {} = all files
        :param compress: Compress each file when it is complete: ASC and candump logs with gzip, MF4
            inside; default: false
        :param embed_databases: MF4: attach the databases of the channels to each file; default:
            false
        :param trigger: Conditions that start and stop the recording; {} = none. Each recording
            begins the next file if the name has {n}; otherwise all are in one file
        :param sync_seconds: Maximum age of events that a power failure can cost; default: 1
        """
        body = {
            "file": file,
            "channels": channels,
            "format": format,
            "split": split,
            "keep": keep,
            "compress": compress,
            "embed_databases": embed_databases,
            "trigger": trigger,
            "sync_seconds": sync_seconds,
        }
        return self._call(
            "PATCH",
            f"/api/v1/recorders/{_segment(name)}",
            body=body,
            timeout=timeout,
        )

    def recorder_remove(self, name: str, *, timeout: Optional[float] = None) -> records.Recorder:
        """Remove a recorder that is stopped, and show its last record.

        Its files stay.

        :param name: Name of the recorder
        """
        return self._call("DELETE", f"/api/v1/recorders/{_segment(name)}", timeout=timeout)

    def recorder_start(self, name: str, *, timeout: Optional[float] = None) -> records.Recorder:
        """Start a recorder.

        Recording begins when this call returns; with a start condition, the recorder is armed then.
        With channels, they must be open, and the recorder stops when all of them are closed;
        without, it records all channels, including new ones.

        :param name: Name of the recorder
        """
        return self._call("POST", f"/api/v1/recorders/{_segment(name)}/start", timeout=timeout)

    def recorder_stop(self, name: str, *, timeout: Optional[float] = None) -> records.Recorder:
        """Stop a recorder and complete its file.

        The file contains every event up to this call. A recorder that is not running is returned
        unchanged.

        :param name: Name of the recorder
        """
        return self._call("POST", f"/api/v1/recorders/{_segment(name)}/stop", timeout=timeout)

    def recorder_file(self, name: str, file: str, *, timeout: Optional[float] = None) -> bytes:
        """Download a file of a recorder.

        Sends the file as it is on the disk, up to its size when the request arrives. Files are
        those that the recorder lists; in a path, write / as %2F. At most 8 downloads run at a time.

        :param name: Name of the recorder
        :param file: File as the recorder lists it
        """
        return self._call(
            "GET",
            f"/api/v1/recorders/{_segment(name)}/files/{_segment(file)}",
            timeout=timeout,
        )

    def replay_start(
        self,
        channels: Dict[str, str],
        *,
        file: Optional[str] = None,
        files: Optional[Sequence[str]] = None,
        filter: Optional[str] = None,
        ids: Optional[Dict[str, str]] = None,
        speed: Optional[float] = None,
        loop: Optional[bool] = None,
        repeat: Optional[records.ReplayStartRequestRepeat] = None,
        start_offset_us: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.Replay:
        """Replay a trace on open channels with its original timing.

        Reads ASC, BLF and MF4 files and candump logs inside the project directory. Received and
        sent frames are both sent, each at (its time − time of the first event − start_offset_us) ÷
        speed after the start. Events within 50 µs are sent together. Events that cannot be sent are
        skipped and counted by reason. If the queue is full, frames wait in order; none are dropped.
        A LIN master sends every frame with header and data. A LIN slave responds to headers with
        the data, from its time until the replay ends. At the end of the file the replay runs for
        one more second, so that a header can still request the last data; if the replay is stopped
        or fails, it ends immediately. Several files are merged by their dates and times. A mapping
        applies to every file that has such a channel; 2:1 is channel 1 of the second file. Files
        without dates start together and cannot be merged with others. With loop, the files restart
        one millisecond after their last event, without the offset; repeat limits how often. Only
        one replay can run at a time.

        :param file: File to replay
        :param files: Files to replay, merged by time, instead of file
        :param channels: Channel mapping: a selector for each channel number of the file, or
            interface name in a candump log. C1 is CAN channel 1 only, L1 is LIN channel 1 only, 2:1 is
            channel 1 of the second file. At least one is required
        :param filter: Condition of the events that are sent: those at which it fires, or during
            which it holds. It sees the events of mapped channels, whose names are those in the file,
            with the identifiers of the file; signals are those of the databases that are attached to
            the channel to send on
        :param ids: Identifiers to send instead of those in the file, as printed: 123 (up to 3
            digits: 11-bit or LIN), 18FF50E5 (8 digits: 29-bit). Data are not changed
        :param speed: Speed factor: 2 is twice as fast as recorded
        :param loop: Restart when the file ends
        :param repeat: Limited number of loops, instead of loop
        :param start_offset_us: Time to skip after the first event of the file
        """
        body = {
            "file": file,
            "files": files,
            "channels": channels,
            "filter": filter,
            "ids": ids,
            "speed": speed,
            "loop": loop,
            "repeat": repeat,
            "start_offset_us": start_offset_us,
        }
        return self._call("POST", "/api/v1/replay", body=body, timeout=timeout)

    def replay_status(self, *, timeout: Optional[float] = None) -> records.Replay:
        """Show the current or last replay."""
        return self._call("GET", "/api/v1/replay", timeout=timeout)

    def replay_stop(self, *, timeout: Optional[float] = None) -> records.Replay:
        """Stop the replay; frames already accepted by a channel are still sent.

        Returns the final state: finished, with stopped true. If no replay is running, it returns
        the last one unchanged.
        """
        return self._call("DELETE", "/api/v1/replay", timeout=timeout)

    def remote_start(
        self,
        peer: Sequence[str],
        channels: Sequence[str],
        *,
        listen: Optional[str] = None,
        max_age_ms: Optional[int] = None,
        buffer_us: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.RemoteForwarding:
        """Forward CAN frames to and from other machines over UDP.

        Uses the cannelloni format, version 2: peers can be cannelloni or other Busbar daemons.
        Frames received on any of the channels are sent to every peer; frames from every peer are
        sent on every channel. Frames sent by this daemon are not forwarded, and frames of one peer
        are not relayed to other peers. Datagrams are neither authenticated nor encrypted; datagrams
        from addresses other than the peers’ are dropped.

        :param listen: Local host and port to receive on and send from; port 0 selects a free port
        :param peer: Host and port of each peer; host names are resolved once
        :param channels: Open CAN channels to forward, by any selector
        :param max_age_ms: Drop frames older than this, in both directions; default: no limit
        :param buffer_us: Batch window: how long frames are collected for one datagram; 0 sends each
            frame immediately. The default is never more than half of max_age_ms
        """
        body = {
            "listen": listen,
            "peer": peer,
            "channels": channels,
            "max_age_ms": max_age_ms,
            "buffer_us": buffer_us,
        }
        return self._call("POST", "/api/v1/remote-api", body=body, timeout=timeout)

    def remote_status(self, *, timeout: Optional[float] = None) -> records.RemoteForwarding:
        """Show the state and counters of remote forwarding."""
        return self._call("GET", "/api/v1/remote-api", timeout=timeout)

    def remote_stop(self, *, timeout: Optional[float] = None) -> records.RemoteForwarding:
        """Stop remote forwarding and show its final counters."""
        return self._call("DELETE", "/api/v1/remote-api", timeout=timeout)

    def trace_summary(self, file: str, *, timeout: Optional[float] = None) -> records.TraceSummary:
        """Show the contents of a trace file in the project directory, such as the channels to map for a replay.

        Reads ASC, BLF and MF4 files and candump logs inside the project directory, for at most 5
        seconds; complete says whether the whole file was read. At most 4 files are read at a time.

        :param file: Trace file
        """
        query = {"file": file}
        return self._call("GET", "/api/v1/traces/summary", query=query, timeout=timeout)

    def trace_decode_job(
        self,
        file: str,
        output: str,
        databases: Sequence[records.TraceDecodeRequestDatabases],
        *,
        signals: Optional[Sequence[str]] = None,
        filter: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        wide: Optional[bool] = None,
        every_ms: Optional[int] = None,
        overwrite: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.Job:
        """Decode the signals of a trace file in the project directory into a table there.

        A long table has one row for each value: time, channel, message, signal, value (exact text),
        number (double), unit and label. The type of a wide column depends on the layout of its
        signal only. Times are UTC with microseconds; traces without a start begin in 1970. Error
        frames and remote frames are counted, and so are frames without a message. The output
        appears when it is complete. Queues a job; its result says what could not be read.

        :param file: Trace file
        :param output: Table to write, ending in .csv, .jsonl or .parquet
        :param databases: Databases; a frame takes the first of its channel that has a message for
            it
        :param signals: Signals as Message.Signal, where * stands for any part of a name. Default:
            all
        :param filter: Frames to decode: those at which a condition fires, or during which it holds;
            a J1939 payload longer than a frame counts at its last frame: a condition such as signal
            Engine.EngineSpeed > 3000
        :param from_: First time: from the first event, as 12.5s, 500ms or 2min, or a date and time;
            UTC without a zone
        :param to: End, not included: from the first event, as 12.5s, 500ms or 2min, or a date and
            time; UTC without a zone
        :param wide: One column for each signal, one row for each frame
        :param every_ms: Wide only: rows at equal intervals from the first value, with the last
            value of each signal
        :param overwrite: Replace the file if it exists
        """
        body = {
            "file": file,
            "output": output,
            "databases": databases,
            "signals": signals,
            "filter": filter,
            "from": from_,
            "to": to,
            "wide": wide,
            "every_ms": every_ms,
            "overwrite": overwrite,
        }
        return self._call("POST", "/api/v1/traces/decode", body=body, timeout=timeout)

    def check_start(
        self,
        *,
        file: Optional[str] = None,
        checks: Optional[Sequence[records.CheckRequestChecks]] = None,
        trace: Optional[str] = None,
        seconds: Optional[float] = None,
        channels: Optional[Sequence[str]] = None,
        after: Optional[int] = None,
        databases: Optional[Sequence[records.CheckRequestDatabases]] = None,
        bitrate: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
    ) -> records.Job:
        """Check a trace file in the project directory, or live traffic for a time.

        Queues a job whose result is a report. Forms: cycle Engine 20ms +-10%; counter
        Wheels.Counter max 14; e2e Wheels, with a codec; answer 7E0#0322F190 with 7E8#??62F190
        within 50ms; value Engine.Temperature in -40..150; never <condition>; never gap; load < 60%;
        order Engine then Wheels within 5ms. Messages are named or written as identifiers. Each form
        can end with on <channel>, which it needs if several channels match; in conditions each term
        can. A check has passed, has failed, or was not observed: what it is about did not occur, or
        events are missing. Live checks see the events of open channels from the call on, and use
        the databases that are attached to them. They end with the time.

        :param file: Check file
        :param checks: Checks, after those of the file
        :param trace: Trace file
        :param seconds: Time to check live traffic, instead of a trace file
        :param channels: Channels of live checks, by any selector; default: all open ones
        :param after: Live checks: event id after which they begin, as far as events are stored;
            default: the newest one
        :param databases: Databases; a frame takes the first of its channel that has a message for
            it
        :param bitrate: Bit rates of the trace, for load checks: 500000, 500k/2M, or with @ only for
            a channel
        """
        body = {
            "file": file,
            "checks": checks,
            "trace": trace,
            "seconds": seconds,
            "channels": channels,
            "after": after,
            "databases": databases,
            "bitrate": bitrate,
        }
        return self._call("POST", "/api/v1/checks", body=body, timeout=timeout)

    def job_list(self, *, timeout: Optional[float] = None) -> records.JobList:
        """List asynchronous jobs, newest first."""
        return self._call("GET", "/api/v1/jobs", timeout=timeout)

    def job_show(self, job_id: str, *, timeout: Optional[float] = None) -> records.Job:
        """Show one job with its result or error.

        :param job_id: Job ID, as returned by the operation that started it
        """
        return self._call("GET", f"/api/v1/jobs/{_segment(job_id)}", timeout=timeout)

    def job_cancel(self, job_id: str, *, timeout: Optional[float] = None) -> records.Job:
        """Cancel a job.

        Returns when the job has ended. A job that has ended already is returned as it is. Changes
        that it made, such as memory of an ECU that was written, remain.

        :param job_id: Job ID, as returned by the operation that started it
        """
        return self._call("DELETE", f"/api/v1/jobs/{_segment(job_id)}", timeout=timeout)

    def execute(self, operation: str, *, timeout: Optional[float] = None) -> records.Version:
        """Run the version operation.

        Accepts a single operation name, never a command line. All other operations have their own
        resources.

        :param operation: Name of the operation; only version is accepted
        """
        body = {"operation": operation}
        return self._call("POST", "/api/v1/execute", body=body, timeout=timeout)
