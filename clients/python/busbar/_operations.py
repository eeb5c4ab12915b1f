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
    """Operations of the API; what is None is left out of the request."""

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
        """Print counters and gauges in the Prometheus text format."""
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
        """Show the contract of one operation.

        :param operation_id: Id of the operation
        """
        return self._call("GET", f"/api/v1/operations/{_segment(operation_id)}", timeout=timeout)

    def bench_show(self, *, timeout: Optional[float] = None) -> records.Bench:
        """Show the bench in use: its devices, port names and logical networks.

        The bench is busbar.bench.json in the project directory, else the one in the user’s
        configuration directory, else the built-in virtual bench.
        """
        return self._call("GET", "/api/v1/bench", timeout=timeout)

    def device_firmware_check(
        self,
        selector: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.Job:
        """Compare the firmware of a device with the bench’s firmware index.

        Queues a job and answers it at once; job show tells what it found. The device itself is not
        disturbed: its channels stay open and traffic goes on. The job fails with
        firmware_index_missing, firmware_index_unreachable or invalid_firmware_index where the index
        is no help.

        :param selector: Serial number or UID of the device
        """
        return self._call(
            "POST",
            f"/api/v1/devices/{_segment(selector)}/firmware-check",
            timeout=timeout,
        )

    def device_list(self, *, timeout: Optional[float] = None) -> records.DeviceListAnswer:
        """List the analyzers that are there now, each once, with their ports."""
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

        What is left out, the port chooses: the best bus it can do, 500 kbit/s, and 2 Mbit/s in the
        data phase of CAN FD.

        :param channel: Port to open: <sn>/<port>, <uid>/<port>, or a port name or logical network
            of the bench
        :param name: A name of your own to select the channel by
        :param bus: What to open the port as; the best that it can do if left out
        :param mode: How the channel takes part in the bus
        :param bitrate: Bits per second; the nominal rate on CAN FD
        :param data_bitrate: Bits per second in the data phase of CAN FD frames
        :param timing: CAN bit timing; wins over the bit rates
        :param termination: Whether the bus is terminated in the port
        :param pull_up: LIN: whether the master pull-up is on
        :param power: LIN: whether the port supplies the bus
        :param lin: LIN role, version and checksum model
        :param restart_ms: CAN: milliseconds of bus off after which the controller is recovered
            automatically; 0 is never
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

        :param selector: Channel: <sn>/<port>, <uid>/<port>, name, logical network or slot; / is %2F
            in a path
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

        One call changes exactly one group: timing, lin, mode, termination, pull_up, bitrate (with
        data_bitrate), power or restart_ms. Setting what is set already changes nothing, except that
        timing, mode and bitrate bring a CAN controller back from bus off. A change that takes the
        port off the bus for a moment ends batches of messages that are being sent.

        :param selector: Channel: <sn>/<port>, <uid>/<port>, name, logical network or slot; / is %2F
            in a path
        :param timing: Nominal and data bit timing, together
        :param lin: LIN version and checksum model, together
        :param mode: How the channel takes part in the bus
        :param termination: Whether the bus is terminated in the port
        :param pull_up: LIN: whether the master pull-up is on
        :param bitrate: Bits per second; the nominal rate on CAN FD
        :param data_bitrate: Bits per second in the data phase of CAN FD frames
        :param power: LIN: whether the port supplies the bus
        :param restart_ms: CAN: milliseconds of bus off after which the controller is recovered
            automatically; 0 is never
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
        """Close a channel; its history goes with it.

        :param selector: Channel: <sn>/<port>, <uid>/<port>, name, logical network or slot; / is %2F
            in a path
        """
        return self._call("DELETE", f"/api/v1/channels/{_segment(selector)}", timeout=timeout)

    def channel_recover(self, selector: str, *, timeout: Optional[float] = None) -> records.Channel:
        """Bring a CAN channel back from bus off.

        The controller waits for the bus to be idle 128 times and takes part again. The answer comes
        once it does, or after a second with the state bus_off. History and tasks of the channel
        stay. In any other state nothing happens.

        :param selector: Channel: <sn>/<port>, <uid>/<port>, name, logical network or slot; / is %2F
            in a path
        """
        return self._call("POST", f"/api/v1/channels/{_segment(selector)}/recover", timeout=timeout)

    def channel_wake(
        self,
        selector: str,
        *,
        timeout_ms: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SendResult:
        """Wake a LIN bus with a pulse.

        Master and slaves alike may do so. Answers when the hardware has accepted the pulse, which
        then is an event with the flag wake_up on every channel of the bus; slaves are ready 100 ms
        later. A master sends the bus to sleep with the frame 3C#00FFFFFFFFFFFFFF.

        :param selector: Channel: <sn>/<port>, <uid>/<port>, name, logical network or slot; / is %2F
            in a path
        :param timeout_ms: How long a frame may wait for room in the queue, or a LIN read for its
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

        :param selector: Channel: <sn>/<port>, <uid>/<port>, name, logical network or slot; / is %2F
            in a path
        """
        return self._call("GET", f"/api/v1/channels/{_segment(selector)}/stats", timeout=timeout)

    def channel_traffic(
        self,
        *,
        after_us: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.ChannelTrafficAnswer:
        """Show how busy the open channels were in each second of the last minute.

        A channel that was opened less than a minute ago, or closed and opened again, has fewer
        seconds to show.

        :param after_us: Only seconds that ended later than this Unix time in microseconds
        """
        query = {"after_us": after_us}
        return self._call("GET", "/api/v1/traffic", query=query, timeout=timeout)

    def _channel_traffic_stream(self) -> StreamRequest:
        """Follow how busy the open channels are as server-sent events.

        An event traffic comes once a second and lists all open channels, as channel traffic does:
        the first one with the seconds that are kept, the others with those since the event before.
        A client that is slow gets the seconds that it missed with the next event, as far as they
        are kept.
        """
        return StreamRequest("/api/v1/traffic/stream")

    def _state_stream(
        self,
        include: Sequence[Literal["channel.list", "channel.stats", "channel.traffic", "device.list", "database.list", "signal.list", "job.list", "tx-task.list", "route.list", "logging.status", "replay.status", "remote.status", "gateway.status", "metrics"]],
    ) -> StreamRequest:
        """Follow what operations answer as server-sent events.

        An event has the name of an operation and its answer: at once, and then whenever it is
        another, looked at once a second. Answers differ from those of the operations in this:
        channel.stats tells all open channels, as channels; signal.list tells as many plans as a
        page may have; channel.traffic goes on from the event before; gateway.status tells of each
        instance what health tells, as gateways: gateway.stream has the rest. Where an operation
        fails, its event has the error. What happened in between is not told: a client that is slow
        gets the latest answer, and never a backlog.

        :param include: The operations
        """
        query = {"include": include}
        return StreamRequest("/api/v1/state/stream", query=query)

    def message_send(
        self,
        channel: str,
        *,
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
        """Send a CAN, CAN FD or LIN frame, once or many times, or a list of them.

        Answers when the hardware has accepted every frame, and for a LIN master-read when the
        response is there. Frame k of a batch is due k cycles after the first. Over HTTP count ×
        cycle_us may not exceed 60 seconds. On the command line the frame may be given in short:
        123#DEADBEEF, 18FF50E5#01, 123#R4, 123##1DEADBEEF. A list is checked whole before its first
        frame is sent; frame k of it is due k cycles after the first.

        :param channel: Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
        :param type: What to send; data on CAN and master-write on LIN if left out
        :param id: Identifier; needed in all but a sync-break. Text is hex as it is printed: 123 (up
            to 3 digits: 11 bits and LIN), 18FF50E5 (8 digits, or above 7FF: 29 bits)
        :param extended: Whether the identifier has 29 bits; if left out, text has as many as its
            digits tell, and a number 11
        :param fd: CAN FD frame
        :param brs: CAN FD: data at the data rate
        :param esi: CAN FD: error state flag
        :param dlc: Length code; what the data needs if left out
        :param data: Payload in hex; blanks and separators between bytes are fine
        :param checksum: LIN checksum model; the one of the channel if left out
        :param count: How many times to send it
        :param cycle_us: Microseconds from one frame to the next; 0 sends as fast as the port takes
            them
        :param timeout_ms: How long a frame may wait for room in the queue, or a LIN read for its
            response
        """
        body = {
            "channel": channel,
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
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.MessageHistory:
        """Read past events of channels, a page at a time.

        Ask again with after set to next_after for the next page, as long as has_more says so. With
        id or direction a page looks at 32768 events at most and may then hold few or none, although
        there are more. An after whose events are no longer kept, or that lies in the future, is
        refused with cursor_expired: go on from oldest_available - 1. Several channels begin where
        the busiest one does; older names those that keep more when they are asked for alone.

        :param channel: Channels to follow, by any selector; all of them if left out
        :param after: Event id to go on behind
        :param id: Identifiers wanted, in hex as they are printed: 123 (up to 3 digits: 11 bits and
            LIN), 18FF50E5 (8 digits: 29 bits), a range 100-1FF, or bits that count 123:7FF
        :param direction: Only what was received, or only what was sent
        :param limit: Most events in one answer; the byte limit of responses may make it fewer
        """
        query = {
            "channel": channel,
            "after": after,
            "id": id,
            "direction": direction,
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
    ) -> StreamRequest:
        """Follow events as server-sent events.

        Each event message has the event id as its id and a MessageEvent as its data; an event gap
        tells what was lost, as a GapEvent. Starts behind Last-Event-ID, else behind after, else
        live. A comment keeps the connection alive every 15 seconds.

        :param channel: Channels to follow, by any selector; all of them if left out
        :param after: Event id to go on behind
        :param id: Identifiers wanted, in hex as they are printed: 123 (up to 3 digits: 11 bits and
            LIN), 18FF50E5 (8 digits: 29 bits), a range 100-1FF, or bits that count 123:7FF
        :param direction: Only what was received, or only what was sent
        """
        query = {"channel": channel, "after": after, "id": id, "direction": direction}
        return StreamRequest("/api/v1/messages/stream", query=query)

    def _message_ws(
        self,
        *,
        channel: Optional[Union[str, Sequence[str]]] = None,
        after: Optional[int] = None,
        id: Optional[Union[str, Sequence[str]]] = None,
        direction: Optional[Literal["rx", "tx"]] = None,
    ) -> StreamRequest:
        """Follow events as binary WebSocket messages.

        Offer the subprotocol svc.frames.v2, and svc.token.<token> behind it where a token is needed
        and no header can be set. Each binary message is one FRM2 record; a text message tells of a
        gap. Starts behind after, else live.

        :param channel: Channels to follow, by any selector; all of them if left out
        :param after: Event id to go on behind
        :param id: Identifiers wanted, in hex as they are printed: 123 (up to 3 digits: 11 bits and
            LIN), 18FF50E5 (8 digits: 29 bits), a range 100-1FF, or bits that count 123:7FF
        :param direction: Only what was received, or only what was sent
        """
        query = {"channel": channel, "after": after, "id": id, "direction": direction}
        return StreamRequest("/api/v1/messages/ws", query=query)

    def tx_task_add(
        self,
        channel: str,
        id: Union[int, str],
        *,
        kind: Optional[Literal["cyclic", "lin_response"]] = None,
        type: Optional[Literal["data", "remote", "master-write"]] = None,
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
        """Send a frame periodically, or respond to a LIN header, from now on.

        A cyclic task sends its first frame at once and frame k at k periods after it. A time that
        the daemon comes to too late is counted as missed and never made up for; one at which the
        channel does not take the frame is counted as failed, and the task goes on. A LIN response
        is given to every header with its identifier. Where the device can do it by itself, it does.
        Tasks end when they are removed or their channel is closed.

        :param channel: Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
        :param kind: Send periodically, or respond to a LIN header
        :param type: What to send; data on CAN and master-write on LIN if left out
        :param id: Identifier; needed in all but a sync-break. Text is hex as it is printed: 123 (up
            to 3 digits: 11 bits and LIN), 18FF50E5 (8 digits, or above 7FF: 29 bits)
        :param extended: Whether the identifier has 29 bits; if left out, text has as many as its
            digits tell, and a number 11
        :param fd: CAN FD frame
        :param brs: CAN FD: data at the data rate
        :param esi: CAN FD: error state flag
        :param dlc: Length code; what the data needs if left out
        :param data: Payload in hex; blanks and separators between bytes are fine
        :param checksum: LIN checksum model; the one of the channel if left out
        :param period_us: Microseconds from one frame to the next; needed in a cyclic task
        :param count: How many frames to send; 0 is endless
        :param pattern: What changes with each frame: nothing, the data counted up as one big-endian
            number, the identifier counted up, or random data
        :param offload: Whether the device or the kernel is to do it by itself: true refuses where
            it cannot, false leaves it to the daemon; if left out, it does where nothing that the daemon
            would report gets lost by that
        """
        body = {
            "channel": channel,
            "kind": kind,
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

    def tx_task_remove(self, task_id: str, *, timeout: Optional[float] = None) -> records.TxTask:
        """End a transmit task and show what it came to.

        :param task_id: Id of a transmit task
        """
        return self._call("DELETE", f"/api/v1/tx-tasks/{_segment(task_id)}", timeout=timeout)

    def route_add(
        self,
        source: records.RouteRequestSource,
        target: records.RouteRequestTarget,
        *,
        offload: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.Route:
        """Pass received CAN frames on to another channel from now on.

        Needs a source and a target, on the command line as an option for each of their fields.
        Every frame that the source receives, whose identifier has the length asked for and agrees
        in the bits of the mask, is sent on the target at once, remote frames included. Where both
        are ports of a device that can do it by itself, it does. Routes end when they are removed or
        one of their channels is closed.

        :param source: What to pass on
        :param target: Where to
        :param offload: Whether the device or the kernel is to do it by itself: true refuses where
            it cannot, false leaves it to the daemon; if left out, it does where nothing that the daemon
            would report gets lost by that
        """
        body = {"source": source, "target": target, "offload": offload}
        return self._call("POST", "/api/v1/routes", body=body, timeout=timeout)

    def route_list(self, *, timeout: Optional[float] = None) -> records.RouteListAnswer:
        """List the routes."""
        return self._call("GET", "/api/v1/routes", timeout=timeout)

    def route_remove(self, route_id: str, *, timeout: Optional[float] = None) -> records.Route:
        """End a route and show what it came to.

        :param route_id: Id of a route
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

        Items are named by table and address, counted from 0 as on the wire, or by a reference,
        counted from 1 as in manuals; the answer has both. All of them are read with one request.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise
        :param unit: Unit id: 0 to 255 over TCP, 1 to 247 on serial lines and in RTU over TCP
        :param timeout_ms: How long the answer may take
        :param gap_ms: Serial lines: longest pause inside a frame; 500 with RTU and 1000 with ASCII
            if left out
        :param late_ms: Serial lines: how long a unit is left alone that answers neither a request
            nor a probe; one time-out if left out
        :param probe: Serial lines: whether a unit that was late may be sent function 08, or read
            twice; it may if left out
        :param table: Table of the items; a reference tells it itself
        :param address: Address of the first item, counted from 0
        :param reference: The same as manuals write it, counted from 1, instead of table and address
        :param type: What a value is; u16 for registers and bool for bits if left out
        :param order: Order of the bytes of a value in its registers, ABCD if left out; BADC and
            DCBA also swap the two bytes of u16 and s16, and a bool has none to order
        :param count: How many values, each of as many registers as its type takes
        :param show: How values are written: as numbers, or as the bits that they are made of
        :param retries: Further attempts where there was no answer or no link; a write may then be
            done more than once
        :param trace: Tell the raw bytes of requests and answers
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

        Values are texts: integers as they are, or the bits of a value in hex, and floats, of which
        the nearest is written; the answer tells what that was. One register is written with
        function 06 and one coil with 05; --multiple uses the functions for several, which some
        devices insist on. With --bit, single bits of a holding register are changed: it is read,
        changed and written back in one step, with 06 or as --multiple says, and not written if it
        could not be read.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise
        :param unit: Unit id: 0 to 255 over TCP, 1 to 247 on serial lines and in RTU over TCP
        :param timeout_ms: How long the answer may take
        :param gap_ms: Serial lines: longest pause inside a frame; 500 with RTU and 1000 with ASCII
            if left out
        :param late_ms: Serial lines: how long a unit is left alone that answers neither a request
            nor a probe; one time-out if left out
        :param probe: Serial lines: whether a unit that was late may be sent function 08, or read
            twice; it may if left out
        :param table: Table of the items; a reference tells it itself
        :param address: Address of the first item, counted from 0
        :param reference: The same as manuals write it, counted from 1, instead of table and address
        :param type: What a value is; u16 for registers and bool for bits if left out
        :param order: Order of the bytes of a value in its registers, ABCD if left out; BADC and
            DCBA also swap the two bytes of u16 and s16, and a bool has none to order
        :param value: Values to write, from the first item on
        :param bit: Bits of one holding register to change; 0 is the least significant
        :param multiple: Write even one item with the function for several
        :param show: How values are written: as numbers, or as the bits that they are made of
        :param retries: Further attempts where there was no answer or no link; a write may then be
            done more than once
        :param trace: Tell the raw bytes of requests and answers
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
        """Look which units answer at an endpoint.

        Every unit is sent one read, of holding register 0 unless told otherwise, and is shown as
        soon as it is known whether it answered, refused or was silent; any of the two answers tells
        that it is there. Requests stand in the same queue as all others, one at a time, so that
        polls wait for one unit at the most. Over TCP the link is made anew after a unit that was
        silent. Over HTTP all requests together may take 60 s.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise
        :param units: Units to look for
        :param table: Table of the items; a reference tells it itself
        :param address: Address of the first item, counted from 0
        :param reference: The same as manuals write it, counted from 1, instead of table and address
        :param timeout_ms: How long the answer of a unit may take, and a link to be made
        :param gap_ms: Serial lines: longest pause inside a frame; 500 with RTU and 1000 with ASCII
            if left out
        :param late_ms: Serial lines: how long a unit is left alone that answers neither a request
            nor a probe; one time-out if left out
        :param probe: Serial lines: whether a unit that was late may be sent function 08, or read
            twice; it may if left out
        :param trace: Tell the raw bytes of requests and answers
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
        """Serve registers as one or more Modbus units.

        With a unit, all four tables have 65536 items, which begin as zero. With a map, a JSON file
        tells the units, what they have, what is in it and what they do wrong; the guide shows one.
        Items keep what clients write until the server is stopped, and the server runs in the daemon
        until then. Over TCP, port 0 lets the system choose one. An endpoint has one server: a
        second one is refused, whatever its units.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise
        :param unit: Unit id: 0 to 255 over TCP, 1 to 247 on serial lines and in RTU over TCP
        :param map: File of the project that tells the units, instead of one unit
        :param gap_ms: Serial lines: longest pause inside a frame; 500 with RTU and 1000 with ASCII
            if left out
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
        """Stop a server that modbus serve has started.

        Takes any name of the place: the network or endpoint that it was started with, another
        spelling of the address, any address of this machine where it listens at all of them, or
        another path of the serial device, whatever its settings. One on a port that the system
        chose can also be named by the address that it has, and has to be where several were started
        with the same endpoint. One that belongs to a gateway instance is refused with `busy`: it
        ends with the instance.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise
        """
        body = {"network": network, "endpoint": endpoint}
        return self._call("POST", "/api/v1/modbus/stop", body=body, timeout=timeout)

    def modbus_status(self, *, timeout: Optional[float] = None) -> records.ModbusStatus:
        """List Modbus sessions, their units and servers, with counters."""
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
        """Show what a unit of a Modbus server of this daemon holds.

        Nothing goes over the line, no client is counted and no fault of the unit applies: this is
        the side of the server. Holding registers from 0 on are shown where no others are named, and
        a server or unit needs no name where it is the only one. Items that the unit does not have
        are null. It is for servers that modbus serve or a gateway instance has started; modbus read
        asks any other.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise
        :param unit: Unit of the server; it may be left out where the server has one
        :param table: Table of the items; a reference tells it itself
        :param address: Address of the first item, counted from 0
        :param reference: The same as manuals write it, counted from 1, instead of table and address
        :param type: What a value is; u16 for registers and bool for bits if left out
        :param order: Order of the bytes of a value in its registers, ABCD if left out; BADC and
            DCBA also swap the two bytes of u16 and s16, and a bool has none to order
        :param count: How many values, each of as many registers as its type takes
        :param show: How values are written: as numbers, or as the bits that they are made of
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
        """Follow Modbus sessions and servers, and what one of these holds, as server-sent events.

        An event status has what modbus status tells, at once and then once a second. Where a server
        is named, an event registers has what modbus registers tells of a server: at once, and then
        whenever it is another, up to four times a second; or its error, such as server_not_found,
        where it tells none. Each of also has events registers of its own, with its text as look.
        What happened in between is not told.

        :param network: Modbus network of the bench
        :param endpoint: Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>,
            rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise
        :param unit: Unit of the server; it may be left out where the server has one
        :param table: Table of the items; a reference tells it itself
        :param address: Address of the first item, counted from 0
        :param reference: The same as manuals write it, counted from 1, instead of table and address
        :param type: What a value is; u16 for registers and bool for bits if left out
        :param order: Order of the bytes of a value in its registers, ABCD if left out; BADC and
            DCBA also swap the two bytes of u16 and s16, and a bool has none to order
        :param count: How many values, each of as many registers as its type takes
        :param show: How values are written: as numbers, or as the bits that they are made of
        :param also: Further registers to follow on the same connection, each as a query of modbus
            registers
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
        type: Optional[Literal["dbc"]] = None,
        timeout: Optional[float] = None,
    ) -> records.Database:
        """Load a database of messages and signals.

        The file must lie inside the directory that the daemon was started in. What is wrong with it
        but clear in its meaning is reported and mended; a file that cannot be trusted is refused
        with line and column.

        :param file: File to load
        :param name: What to call it; the name of the file if left out
        :param type: Format of the file
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
        """Show a database: what is wrong with it, and its messages with their signals.

        A page at a time: go on with offset set to message_next_offset until that is message_total.
        The byte limit of responses may make a page shorter. Where it leaves signals of a message
        out, signals_omitted tells how many: ask for that message once more, by its name, with
        signal_offset behind those that were shown.

        :param name: Name of a loaded database
        :param message: Show only this message, by name, or by its identifier in hex as it is
            printed
        :param offset: First message to show
        :param limit: Most messages to show
        :param signal_offset: First signal to show of the first message
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
        """Unload a database; plans made from it go on.

        :param name: Name of a loaded database
        """
        return self._call("DELETE", f"/api/v1/databases/{_segment(name)}", timeout=timeout)

    def gateway_validate(
        self,
        file: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewayValidation:
        """Look for problems of a gateway project.

        Reports all of them at once, each with its table, row and field, and what to do about it.
        Needs no daemon and touches no bus. Over HTTP the file must lie inside the directory that
        the daemon was started in.

        :param file: Project to look at
        """
        body = {"file": file}
        return self._call("POST", "/api/v1/gateways/validate", body=body, timeout=timeout)

    def gateway_files(
        self,
        type: Literal["gwproj", "dbc", "json"],
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.GatewayFilePage:
        """List the files that gateway and Modbus operations can take.

        Files of one type inside the directory that the daemon was started in, by their paths from
        there. Hidden ones and links are left out. A page at a time: go on with offset set to
        file_next_offset until that is file_total.

        :param type: Projects to load and validate, databases to import, or JSON files, such as maps
            that Modbus servers take
        :param offset: First file to show
        :param limit: Most files to show
        """
        query = {"type": type, "offset": offset, "limit": limit}
        return self._call("GET", "/api/v1/gateways/files", query=query, timeout=timeout)

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
        """Make a gateway project of a DBC file, or add the file to one.

        All messages of the file are received or sent on one network. What the file does not say and
        what cannot be carried is listed; a message that could not be sent as it is described is
        refused. The output is written as a whole after all of it was validated, and may be the
        project merged with. Imports into one directory wait for each other, so that all of their
        rows are kept. Needs no daemon; over HTTP all files must lie inside the directory that the
        daemon was started in, and the output must be a project already or end in .gwproj.

        :param file: DBC file
        :param output: Project to write
        :param overwrite: Replace the file if it exists
        :param merge: Project to add to
        :param instance: Becomes the id of the project; that of a project merged with stays
        :param network: Logical network of the bench
        :param direction: Whether the messages are received or sent
        :param missing_cycle: When to send messages without a period; they are refused if left out
        :param default_period_ms: Period of those messages; periodic needs it above 0
        :param stale_after_ms: How long values of received messages without a period hold; 0 for
            ever
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

        The file must lie inside the directory that the daemon was started in. It is read and
        validated as a whole; the instance keeps what was read, whatever becomes of the file.
        Nothing is sent before it is started.

        :param file: Project to load
        :param instance: What to call the instance; the id of the project if left out, or else that
            of the bench. Reserved: validate, import, files
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

        Tasks come a page at a time: go on with offset set to task_next_offset until that is
        task_total. offset and limit are for one instance.

        :param instance: Name of an instance
        :param offset: First task to show
        :param limit: Most tasks to show
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

        Its networks are looked up in the bench of the caller, and the channels that they are bound
        to must be open. No two instances send the same message on one channel: then the whole start
        is refused, and the owner is named. Statistics go on over all starts of an instance.

        :param instance: Name of an instance
        """
        return self._call("POST", f"/api/v1/gateways/{_segment(instance)}/start", timeout=timeout)

    def gateway_stop(
        self,
        instance: str,
        *,
        timeout: Optional[float] = None,
    ) -> records.GatewayInstance:
        """Stop an instance.

        Waits up to a second for the outcomes of what is under way; what has none by then is
        unconfirmed. An instance that does not run stays as it is.

        :param instance: Name of an instance
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

        A page at a time: go on with offset set to fault_next_offset until that is fault_total.
        fired counts since the start, or since the rule was switched on.

        :param instance: Name of an instance
        :param offset: First rule to show
        :param limit: Most rules to show
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
        """Show what fault rules did to frames, a page at a time.

        Each event is one rule and one frame: several rules that change the same frame have the same
        event_id. The newest 1024 are kept, also over stop and start. Ask again with after set to
        next_after for the next page. An after whose events are no longer kept, or that lies in the
        future, is refused with cursor_expired: go on from oldest_available - 1.

        :param instance: Name of an instance
        :param after: Sequence to continue after
        :param limit: Most events to show
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
        """Switch a fault rule on or off.

        Also while the instance runs. A rule that is switched on counts its opportunities from then.
        Saving keeps the switch.

        :param instance: Name of an instance
        :param rule: Id of the rule; a rule called events can be switched on the command line only
        :param enabled: Whether it is switched on
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

        A page at a time, each of one moment: go on with offset set to signal_next_offset until that
        is signal_total. Pages with the same snapshot_version belong to the same moment.

        :param instance: Name of an instance
        :param offset: First signal to show
        :param limit: Most signals to show
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
        """Give a software signal a value.

        Only signals of the producer software can be set. The value is exact: a decimal number in
        quotes, 0 or 1 for a bool, the number of an enum.

        :param instance: Name of an instance
        :param signal: Id of the signal
        :param value: Value in decimal
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
        """Show a signal of an instance, and what it may be.

        :param instance: Name of an instance
        :param signal: Id of the signal
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
        """Write the project of an instance into a file.

        The file holds what was loaded, in its normalized form: no values, times, counters or
        requests. It is written as a whole or not at all. Without file, save rewrites the one that
        the instance was loaded from; overwrite=false refuses that. Only projects are replaced; a
        new file must end in .gwproj.

        :param instance: Name of an instance
        :param file: File to write; the one that the instance was loaded from if left out
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
        """Unload an instance that does not run.

        :param instance: Name of an instance
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

        An event signals has the instance and the signals, as GatewaySignal. All signals come first,
        then those whose value, quality or bindings have changed, up to twenty times a second. What
        happened in between is not told: a client that is slow gets the latest state, and never a
        backlog. The same value observed once more is no change. An event status has the instance
        without its tasks, as GatewayInstance, once a second. With include, events tasks, faults and
        observed have records of these that have changed, all of them first and then once a second:
        tasks as GatewayTask and faults as GatewayFault, the first 2000 of each; observed has
        objects with the place of a signal as first and, from there on, as observed_us when each was
        last observed, also where its value stayed the same. Events fault_events have those of fault
        rules, as GatewayFaultEvent by sequence: first those that are kept, then new ones up to
        twenty times a second, and an event again once its event_id is known. An event end tells why
        nothing more comes of its instance: it was unloaded, or the service shut_down; the stream
        ends with the last one.

        :param instance: Name of an instance
        :param also: Further instances to follow on the same connection
        :param include: What to tell beside signals and status
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
        """Show how values go through an instance, from endpoints to tasks.

        Nodes first, then the edges between them, a page at a time: go on with offset set to
        element_next_offset until that is element_total. Edges point to where values go.

        :param instance: Name of an instance
        :param offset: First element to show
        :param limit: Most elements to show
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
        """List the active decode plans.

        A page at a time: go on with offset set to plan_next_offset until that is plan_total. The
        byte limit of responses may make a page shorter.

        :param offset: First plan to show
        :param limit: Most plans to show
        """
        query = {"offset": offset, "limit": limit}
        return self._call("GET", "/api/v1/signals", query=query, timeout=timeout)

    def signal_plan_create(
        self,
        channel: str,
        database: str,
        message: Union[str, int],
        *,
        signals: Optional[Sequence[str]] = None,
        source_address: Optional[int] = None,
        history: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.SignalPlan:
        """Decode a message of a channel from now on.

        Plans belong to the Web service and end with it. Every frame of the message on the channel,
        received or sent, gives a sample of each signal that is in it. Frames of a J1939 parameter
        group are found by its number, whatever their priority and addresses; source_address narrows
        that to one sender. A signal that cannot be decoded is left out and told.

        :param channel: Channel to decode: <sn>/<port>, <uid>/<port>, name, network or slot
        :param database: Name of a loaded database
        :param message: Message by name, or by its identifier: a number, or text in hex as it is
            printed
        :param signals: Signals to decode; all of the message if left out
        :param source_address: J1939 address whose frames are wanted; all if left out
        :param history: Samples to keep of each signal
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
        """End a decode plan; its samples go with it.

        :param plan_id: Id of a plan
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

        :param plan: Id of a plan
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
        """Read past samples of a signal, a page at a time.

        Ask again with after set to next_after for the next page. An after whose samples are no
        longer kept, or that lies in the future, is refused with cursor_expired: go on from
        oldest_available - 1.

        :param plan: Id of a plan
        :param signal: Name of a signal of the plan
        :param after: Sequence to go on behind
        :param limit: Most samples in one answer
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
        """Follow samples of signals as server-sent events.

        Each event sample has the sequence as its id and a SignalSample as its data; an event gap
        tells what was lost, as a GapEvent. Starts behind Last-Event-ID, else behind after, else
        live.

        :param plan: Plans to follow; all that there are now if left out
        :param signal: Signals to follow, by name; all of these plans if left out
        :param after: Sequence to go on behind
        """
        query = {"plan": plan, "signal": signal, "after": after}
        return StreamRequest("/api/v1/signals/stream", query=query)

    def logging_start(
        self,
        file: str,
        *,
        channels: Optional[Sequence[str]] = None,
        format: Optional[Literal["asc"]] = None,
        overwrite: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> records.Logging:
        """Log channels to a file in ASC format.

        Logs what comes once this has answered. The file must lie inside the directory that the
        daemon was started in, and must not be named like one of another format, such as .blf or
        .log, nor be the trace that is being replayed. Where channels are named, logging ends by
        itself when all of them are closed; else it goes on until it is stopped, and channels opened
        meanwhile are logged too. Events that the disk was too slow for are missing, counted, and
        marked in the file. A file that takes no more, or that was removed, ends the logging as
        failed: what is in it stays readable.

        :param file: File to write
        :param channels: Channels to log, by any selector; all of them if left out
        :param format: Format of the file
        :param overwrite: Replace the file if it exists
        """
        body = {"file": file, "channels": channels, "format": format, "overwrite": overwrite}
        return self._call("POST", "/api/v1/logging", body=body, timeout=timeout)

    def logging_status(self, *, timeout: Optional[float] = None) -> records.Logging:
        """Show what is being logged, or what was logged last."""
        return self._call("GET", "/api/v1/logging", timeout=timeout)

    def logging_stop(self, *, timeout: Optional[float] = None) -> records.Logging:
        """Stop logging and complete the file.

        The file has everything that came before. Where nothing is logged, this answers the last
        record and changes nothing.
        """
        return self._call("DELETE", "/api/v1/logging", timeout=timeout)

    def replay_start(
        self,
        file: str,
        channels: Dict[str, str],
        *,
        speed: Optional[float] = None,
        loop: Optional[bool] = None,
        start_offset_us: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> records.Replay:
        """Replay a trace on open channels, with its own timing.

        Reads ASC, BLF and candump logs inside the directory that the daemon was started in. Frames
        that were received and frames that were sent are both sent again, each at its time: (its
        time − that of the first event − start_offset_us) ÷ speed after the start. Events that fall
        within 50 µs go together. What cannot be sent is passed over and counted by its reason; a
        frame that finds the queue full waits, in order, and is never dropped. A LIN master sends
        every frame with its data behind its own header. A LIN slave answers headers with the data
        from its time on, until the replay ends: at the end of the file that is one second after the
        last event, so that a header can still ask for it; where the replay is stopped or fails it
        is at once. With loop the file begins anew, without the offset, one millisecond after its
        last event. One replay runs at a time.

        :param file: File to replay
        :param channels: Which channel of the file is sent where: a selector for each of its channel
            numbers, or interface names in a candump log. C1 is channel 1 of CAN alone, L1 that of LIN.
            At least one is needed
        :param speed: How many times as fast as it was recorded
        :param loop: Begin anew whenever the file ends
        :param start_offset_us: Begin this long behind the first event of the file
        """
        body = {
            "file": file,
            "channels": channels,
            "speed": speed,
            "loop": loop,
            "start_offset_us": start_offset_us,
        }
        return self._call("POST", "/api/v1/replay", body=body, timeout=timeout)

    def replay_status(self, *, timeout: Optional[float] = None) -> records.Replay:
        """Show the replay that runs, or what became of the last one."""
        return self._call("GET", "/api/v1/replay", timeout=timeout)

    def replay_stop(self, *, timeout: Optional[float] = None) -> records.Replay:
        """Stop the replay; frames that a channel has taken are still sent.

        Answers the final record: finished, with stopped true. Where nothing runs it answers the
        last record unchanged.
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

        Speaks the cannelloni format, version 2, so that cannelloni and other Busbars can be peers.
        Frames received on any of the channels go to every peer, and frames of every peer go onto
        every channel. What this daemon itself sends is not forwarded, and peers’ frames are not
        relayed to other peers. Datagrams are neither authenticated nor encrypted; those from other
        addresses than the peers’ are dropped.

        :param listen: Host and port to receive on and send from; port 0 takes a free one
        :param peer: Host and port of every peer; names are resolved once
        :param channels: Open CAN channels to forward, by any selector
        :param max_age_ms: Frames older than this are sent in neither direction; no limit if left
            out
        :param buffer_us: How long frames are collected for a datagram; 0 sends each as soon as can
            be. Left out, it is no more than half of max_age_ms
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
        """Show what remote forwarding does and has done."""
        return self._call("GET", "/api/v1/remote-api", timeout=timeout)

    def remote_stop(self, *, timeout: Optional[float] = None) -> records.RemoteForwarding:
        """Stop remote forwarding and show what it has done."""
        return self._call("DELETE", "/api/v1/remote-api", timeout=timeout)

    def trace_summary(self, file: str, *, timeout: Optional[float] = None) -> records.TraceSummary:
        """Tell what a trace file of the project holds, such as the channels to map for a replay.

        Reads ASC, BLF and candump logs inside the directory that the daemon was started in, for at
        most 5 seconds; complete tells whether that was enough for the whole file. At most 4 files
        are read at once.

        :param file: Trace file
        """
        query = {"file": file}
        return self._call("GET", "/api/v1/traces/summary", query=query, timeout=timeout)

    def job_list(self, *, timeout: Optional[float] = None) -> records.JobList:
        """List asynchronous jobs, newest first."""
        return self._call("GET", "/api/v1/jobs", timeout=timeout)

    def job_show(self, job_id: str, *, timeout: Optional[float] = None) -> records.Job:
        """Show one job with its result or error.

        :param job_id: Id that starting the job answered with
        """
        return self._call("GET", f"/api/v1/jobs/{_segment(job_id)}", timeout=timeout)

    def execute(self, operation: str, *, timeout: Optional[float] = None) -> records.Version:
        """Run the one operation that needs no resource of its own: version.

        Takes a single operation name, never a command line. Everything else is done through the
        resource made for it.

        :param operation: Name of the operation; only version is accepted
        """
        body = {"operation": operation}
        return self._call("POST", "/api/v1/execute", body=body, timeout=timeout)
