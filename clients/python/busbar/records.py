# Generated from the OpenAPI document by npm run generate. Do not edit.
"""What the API takes and gives, as dictionaries."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union


class Bench(TypedDict):
    source: Literal["project", "global", "built-in"]
    # Path of the bench file; null for the built-in bench
    path: Optional[str]
    project_id: Optional[str]
    devices: List[BenchDevices]
    networks: Dict[str, Union[BenchNetworks1, BenchNetworks2, BenchNetworks3]]
    # Database files by port name or network, in order: loaded and attached whenever the channel is opened
    databases: Dict[str, List[str]]
    # ECUs by name, as in the file
    ecus: Dict[str, EcuEntry]
    # Recorders by name, as in the file
    recorders: Dict[str, RecorderEntry]
    # File or URL that lists firmware releases
    firmware_index: Optional[str]
    # Dashboard of the console
    dashboard: Optional[Dashboard]


class BenchDevices(TypedDict):
    driver: str
    # Address of the device for the driver
    address: str
    # Port names by number
    ports: Dict[str, str]


class _BenchNetworks1Required(TypedDict):
    # Physical selector; null while unbound
    channel: Optional[str]


class BenchNetworks1(_BenchNetworks1Required, total=False):
    """CAN or LIN network"""

    # CAN: bus-off time in milliseconds after which the controller is recovered automatically; 0 = never
    restart_ms: int


class BenchNetworks2(TypedDict):
    """Modbus over TCP"""

    tcp: BenchNetworks2Tcp


class _BenchNetworks2TcpRequired(TypedDict):
    host: str
    port: int


class BenchNetworks2Tcp(_BenchNetworks2TcpRequired, total=False):
    # rtu: serial frames over TCP, for simple converters
    framing: Literal["tcp", "rtu"]
    # Maximum pause within a frame
    gap_ms: int
    # How long to skip late units
    late_ms: int
    # Whether late units may be probed
    probe: bool
    # Settings of single units, by unit ID
    units: Dict[str, BenchNetworks2TcpUnits]


class BenchNetworks2TcpUnits(TypedDict, total=False):
    # How long to skip late units
    late_ms: int
    # Whether late units may be probed
    probe: bool


class BenchNetworks3(TypedDict):
    """Modbus on a serial line"""

    serial: BenchNetworks3Serial


class _BenchNetworks3SerialRequired(TypedDict):
    port: str
    framing: Literal["rtu", "ascii"]
    baud_rate: int
    data_bits: int
    parity: Literal["none", "even", "odd"]
    stop_bits: int


class BenchNetworks3Serial(_BenchNetworks3SerialRequired, total=False):
    # Maximum pause within a frame
    gap_ms: int
    # How long to skip late units
    late_ms: int
    # Whether late units may be probed
    probe: bool
    # Settings of single units, by unit ID
    units: Dict[str, BenchNetworks3SerialUnits]


class BenchNetworks3SerialUnits(TypedDict, total=False):
    # How long to skip late units
    late_ms: int
    # Whether late units may be probed
    probe: bool


class BitTiming(TypedDict):
    """Time quanta of a bit, after the synchronisation segment"""

    prescaler: int
    tseg1: int
    tseg2: int
    sjw: int


class Capabilities(TypedDict):
    api: str
    transports: List[str]
    resources: List[CapabilitiesResources]
    limits: CapabilitiesLimits
    events: CapabilitiesEvents
    security: CapabilitiesSecurity


class CapabilitiesResources(TypedDict):
    path: str
    methods: List[str]


class CapabilitiesLimits(TypedDict):
    request_body_bytes: int
    response_bytes: int
    header_bytes: int
    json_depth: int
    clients: int
    sse_clients: int
    websocket_clients: int
    # Maximum number of open channels
    channels: int
    history_capacity: int
    # Maximum number of events in one response
    history_page: int
    # Maximum number of loaded databases
    databases: int
    # Maximum number of gateway and simulation instances, including those being loaded
    gateway_instances: int
    # Maximum size of a gateway project
    gateway_file_bytes: int
    # Memory budget of all instances
    gateway_budget_bytes: int
    # Memory budget of a project row, in addition to the bytes of the file
    gateway_row_bytes: int
    # Maximum number of gateway tasks in one response
    gateway_task_page: int
    # Maximum number of gateway signals in one response
    gateway_signal_page: int
    # Maximum number of nodes and edges of a gateway project in one response
    gateway_graph_page: int
    # Maximum number of active signal plans
    signal_plans: int
    # Maximum number of transmit tasks, including finished ones
    tx_tasks: int
    # Maximum number of routes
    routes: int
    # Maximum number of Modbus servers
    modbus_servers: int
    # Maximum number of concurrent sends
    sends: int
    # Maximum number of samples in one response
    sample_page: int
    # Maximum duration of a batch sent over HTTP, in microseconds
    http_batch_us: int
    jobs_running: int
    jobs_kept: int


class CapabilitiesEvents(TypedDict):
    websocket_subprotocol: str
    # Event status values by name; 0 is good
    statuses: Dict[str, int]
    # Size of the big-endian count that follows the dlc bytes of an error event in FRM2: the number of error frames that it represents. Without a count, it represents one
    error_count_bytes: int


class CapabilitiesSecurity(TypedDict):
    default_listen: str
    cors: bool
    tls: bool
    # Authentication that this listener currently requires
    authentication: Literal["none", "token"]
    non_loopback_requires: List[str]
    content_security_policy: str


class Channel(TypedDict):
    # Channel number, unique while the daemon runs
    slot: int
    # Stable selector, <sn>/<port>
    selector: str
    uid_selector: str
    name: Optional[str]
    state: Literal["open", "bus_off", "lost", "closing"]
    driver: str
    sn: str
    uid: str
    port: int
    # Channel number in logs; stays the same when the port is reopened
    number: int
    bus: Literal["can", "canfd", "lin"]
    mode: Literal["normal", "listen_only", "loopback"]
    bitrate: float
    data_bitrate: Optional[float]
    timing: Optional[ChannelTiming]
    termination: Optional[bool]
    pull_up: Optional[bool]
    power: Optional[bool]
    lin: Optional[ChannelLin]
    # CAN only: bus-off time in milliseconds after which the controller is recovered automatically; 0 = never
    restart_ms: Optional[int]
    # Unix time in microseconds
    opened_at_us: int
    # Attached databases. The first one that has a message for a frame names and decodes it
    databases: List[str]
    # What did not work when it was opened, and differences to attached LDF files
    warnings: List[ChannelWarnings]
    # Accuracy of the frame timestamps relative to the daemon clock; null if both use the same clock, or not measured
    clock_bracket_us: Optional[int]


class _ChannelTimingRequired(TypedDict):
    nominal: BitTiming


class ChannelTiming(_ChannelTimingRequired, total=False):
    data: BitTiming


class ChannelLin(TypedDict):
    """LIN only"""

    role: Literal["master", "slave"]
    version: Literal["1.3", "2.0", "2.1", "2.2"]
    checksum: Literal["classic", "enhanced"]


class ChannelWarnings(TypedDict):
    code: ChannelWarningCode
    message: str


class ChannelConfigRequest(TypedDict, total=False):
    # Nominal and data bit timing, set together
    timing: ChannelConfigRequestTiming
    # LIN version and checksum model, set together
    lin: ChannelConfigRequestLin
    # Operating mode of the channel
    mode: Literal["normal", "listen_only", "loopback"]
    # Whether the bus termination in the port is on
    termination: bool
    # LIN: whether the master pull-up resistor is on
    pull_up: bool
    # Bit rate in bit/s; on CAN FD, the nominal bit rate
    bitrate: int
    # CAN FD data bit rate in bit/s
    data_bitrate: int
    # LIN: whether the port powers the bus
    power: bool
    # CAN: bus-off time in milliseconds after which the controller is recovered automatically; 0 = never
    restart_ms: int


class _ChannelConfigRequestTimingRequired(TypedDict):
    nominal: BitTiming


class ChannelConfigRequestTiming(_ChannelConfigRequestTimingRequired, total=False):
    """Nominal and data bit timing, set together"""

    data: BitTiming


class ChannelConfigRequestLin(TypedDict, total=False):
    """LIN version and checksum model, set together"""

    version: Literal["1.3", "2.0", "2.1", "2.2"]
    checksum: Literal["classic", "enhanced"]


class _ChannelOpenRequestRequired(TypedDict):
    # Port to open: <sn>/<port>, <uid>/<port>, or a port name or logical network from the bench file
    channel: str


class ChannelOpenRequest(_ChannelOpenRequestRequired, total=False):
    # Name for the channel, usable as a selector
    name: str
    # Protocol to open the port with; default: the most capable one that the port supports
    bus: Literal["can", "canfd", "lin"]
    # Operating mode of the channel
    mode: Literal["normal", "listen_only", "loopback"]
    # Bit rate in bit/s; on CAN FD, the nominal bit rate
    bitrate: int
    # CAN FD data bit rate in bit/s
    data_bitrate: int
    # CAN bit timing; overrides the bit rates
    timing: ChannelOpenRequestTiming
    # Whether the bus termination in the port is on
    termination: bool
    # LIN: whether the master pull-up resistor is on
    pull_up: bool
    # LIN: whether the port powers the bus
    power: bool
    # LIN role, version and checksum model
    lin: ChannelOpenRequestLin
    # CAN: bus-off time in milliseconds after which the controller is recovered automatically; 0 = never
    restart_ms: int


class _ChannelOpenRequestTimingRequired(TypedDict):
    nominal: BitTiming


class ChannelOpenRequestTiming(_ChannelOpenRequestTimingRequired, total=False):
    """CAN bit timing; overrides the bit rates"""

    data: BitTiming


class ChannelOpenRequestLin(TypedDict, total=False):
    """LIN role, version and checksum model"""

    role: Literal["master", "slave"]
    version: Literal["1.3", "2.0", "2.1", "2.2"]
    checksum: Literal["classic", "enhanced"]


class ChannelStats(TypedDict):
    slot: int
    selector: str
    # Frames received
    rx_frames: int
    # Frames sent
    tx_frames: int
    # Accepted frames that were abandoned
    tx_failed: int
    # Accepted frames that are still pending
    tx_pending: int
    # Bus errors, as counted by the events of the channel
    error_frames: int
    # Events dropped by the hardware or the system
    overruns: int
    # Number of times the device was disconnected
    times_lost: int
    # Frames per second, averaged over about a second
    rx_rate_fps: float
    tx_rate_fps: float
    bus_load_percent: float
    bus_state: Literal["error_active", "error_warning", "error_passive", "bus_off"]
    # Transmit error counter of the controller
    tx_error_count: int
    # Receive error counter of the controller
    rx_error_count: int
    # Accuracy of the frame timestamps relative to the daemon clock; null if both use the same clock, or not measured
    clock_bracket_us: Optional[int]
    broker: ChannelStatsBroker


class ChannelStatsBroker(TypedDict):
    # Events of the channel that history and streams can go back
    capacity: int
    # Events that are available now
    retained: int
    # null while nothing is retained
    oldest_event_id: Optional[int]
    newest_event_id: Optional[int]
    # Events that have expired
    overwritten: int
    # Events that the daemon retains for its own use
    ring_slots: int
    consumers: List[ChannelStatsBrokerConsumers]


class ChannelStatsBrokerConsumers(TypedDict):
    kind: Literal["sse", "websocket", "recv", "decode", "forward", "logging", "check"]
    # ID of the last event that the reader has received
    cursor: int
    # Events of this channel that the reader has not received yet
    lag: int


class ChannelTraffic(TypedDict):
    # Channel number, unique while the daemon runs
    slot: int
    # Stable selector, <sn>/<port>
    selector: str
    name: Optional[str]
    bus: Literal["can", "canfd", "lin"]
    state: Literal["open", "bus_off", "lost", "closing"]
    # Unix time in microseconds
    opened_at_us: int
    # Oldest first
    seconds: List[ChannelTrafficSeconds]


class ChannelTrafficSeconds(TypedDict):
    # End time as Unix time in microseconds
    at_us: int
    # Frames per second, averaged over about a second
    rx_rate_fps: float
    tx_rate_fps: float
    bus_load_percent: float


class ChannelWakeRequest(TypedDict, total=False):
    # How long a frame may wait for space in the queue, or a LIN read for its response
    timeout_ms: int


ChannelWarningCode = Literal["database_not_attached", "lin_bitrate_differs", "lin_version_differs"]


class CheckReport(TypedDict):
    # failed if a check failed, otherwise not_observed if one was not observed
    verdict: Literal["passed", "failed", "not_observed"]
    # Number of checks
    passed: int
    # Number of checks
    failed: int
    # Number of checks
    not_observed: int
    source: Literal["trace", "live"]
    # Start as Unix time in microseconds; null if the file has none
    started_at_us: Optional[int]
    # Time that was checked
    duration_us: int
    # Events that were checked
    events: int
    # Number of gaps
    gaps: int
    # Events lost in those gaps, if known
    missed: int
    checks: List[CheckResult]
    environment: CheckReportEnvironment


class CheckReportEnvironment(TypedDict):
    busbar_version: str
    node_version: str
    # Operating system and processor
    platform: str
    # Checked trace file; null if live
    trace: Optional[CheckReportEnvironmentTrace]
    channels: List[CheckReportEnvironmentChannels]
    databases: List[CheckReportEnvironmentDatabases]


class CheckReportEnvironmentTrace(TypedDict):
    file: str
    format: Literal["asc", "blf", "candump", "mf4"]
    size: Optional[int]
    sha256: Optional[str]


class CheckReportEnvironmentChannels(TypedDict):
    # Channel number, as in logs
    channel: int
    bus: Literal["can", "canfd", "lin"]
    name: Optional[str]
    # Stable selector; null in a file
    selector: Optional[str]
    mode: Optional[str]
    bitrate: Optional[float]
    data_bitrate: Optional[float]


class CheckReportEnvironmentDatabases(TypedDict):
    file: str
    # Its channel; null: all channels
    channel: Optional[str]
    # File size
    size: int
    sha256: str


class CheckRequest(TypedDict, total=False):
    # Check file
    file: str
    # Checks, after those of the file
    checks: List[CheckRequestChecks]
    # Trace file
    trace: str
    # Time to check live traffic, instead of a trace file
    seconds: float
    # Channels of live checks, by any selector; default: all open ones
    channels: List[str]
    # Live checks: event id after which they begin, as far as events are stored; default: the newest one
    after: int
    # Databases; a frame takes the first of its channel that has a message for it
    databases: List[CheckRequestDatabases]
    # Bit rates of the trace, for load checks: 500000, 500k/2M, or with @ only for a channel
    bitrate: List[str]


class _CheckRequestChecksRequired(TypedDict):
    # What must hold
    check: str


class CheckRequestChecks(_CheckRequestChecksRequired, total=False):
    # Name of the check in reports; default: its number from 1
    id: str
    # Protection of an e2e check, as a codec of the kind e2e in a gateway project
    codec: Union[CheckRequestChecksCodec1, CheckRequestChecksCodec2]


class _CheckRequestChecksCodec1Required(TypedDict):
    # AUTOSAR profile, or a free layout
    profile: Literal["1A", "1B", "1C", "1LOW", "2", "4", "5", "6", "7", "11A", "11C", "22", "free"]


class CheckRequestChecksCodec1(_CheckRequestChecksCodec1Required, total=False):
    # Data id
    data_id: int
    # Data ids, one for each counter
    data_id_list: List[int]
    # Protected bytes; default: the whole message or PDU
    data_length: int
    # Where the protection begins
    offset_bits: int
    # Where the checksum is
    crc_offset_bits: int
    # Where the counter is
    counter_offset_bits: int
    # Where the high nibble of the data id is
    nibble_offset_bits: int
    # Most steps between two good counters
    max_delta_counter: int
    # Maximum repeated frames in a row; default: unlimited
    max_no_new_or_repeated: int
    # Frames in sequence required after a sequence error; default: 0
    sync_counter_init: int
    # First counter to send; default: 0, or 1 for profiles 2 and 22
    counter_initial: str
    # The counter of the free layout
    counter: CheckRequestChecksCodec1Counter
    # The checksum of the free layout
    checksum: Union[CheckRequestChecksCodec1Checksum1, CheckRequestChecksCodec1Checksum2]
    # Bytes that enter the checksum first
    prefix: str
    # Bytes that enter the checksum last
    suffix: str
    # When a check is valid; without it the last frame decides
    window: CheckRequestChecksCodec1Window


class CheckRequestChecksCodec1Counter(TypedDict):
    """The counter of the free layout"""

    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # Maximum count, after which the counter wraps to 0
    max: str


class CheckRequestChecksCodec1Checksum1(TypedDict):
    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # Which checksum
    algorithm: Literal["CRC8", "CRC8_GSM_A", "CRC8H2F", "CRC16", "CRC16_ARC", "CRC32", "CRC32P4", "CRC64", "sum8", "xor8"]


class CheckRequestChecksCodec1Checksum2(TypedDict):
    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # A CRC with parameters of its own
    algorithm: Literal["crc"]
    # Bits of the CRC
    width: int
    # Whether bits go in and come out least significant first
    reflect: bool
    # Polynomial
    polynomial: str
    # What the register begins with, as catalogues of CRCs write it
    initial: str
    # What is put over the result
    final_xor: str


class CheckRequestChecksCodec1Window(TypedDict):
    """When a check is valid; without it the last frame decides"""

    # Checks that count
    size: int
    # Good ones among them that make it valid
    min_ok: int
    # Number of bad frames among them that leave it valid
    max_error: int


class CheckRequestChecksCodec2(TypedDict):
    # Only of a plugin, which is refused: checks do not run plugins
    kind: Literal["native"]
    # Only of a plugin
    plugin: str


class _CheckRequestDatabasesRequired(TypedDict):
    # Database file
    file: str


class CheckRequestDatabases(_CheckRequestDatabasesRequired, total=False):
    # Channel by its number, as C1 or L1, or by its name in the trace
    channel: str


class CheckResult(TypedDict):
    # Name of the check in its file, or its number from 1
    id: str
    # Text of the check
    check: str
    verdict: Literal["passed", "failed", "not_observed"]
    # Why the check failed or was not observed; null if it passed
    reason: Optional[str]
    figures: List[CheckResultFigures]
    # Number of violations
    violation_total: int
    # The first ten violations
    violations: List[CheckResultViolations]
    plot: Optional[CheckResultPlot]


class CheckResultFigures(TypedDict):
    # Such as count, min, mean, max, p99 or jitter
    name: str
    value: float
    # Unit of the value; empty if it has none
    unit: str


class CheckResultViolations(TypedDict):
    # Time, in microseconds since the start
    time_us: int
    # Number of the event: its event id if live, its position from 1 in a file; null if no event is the cause, as with a missing one
    event: Optional[int]
    # What was found and what was expected
    message: str
    # Events around it, oldest first
    excerpt: List[CheckResultViolationsExcerpt]


class CheckResultViolationsExcerpt(TypedDict):
    # Time, in microseconds since the start
    time_us: int
    # Number of the event: its event id if live, its position from 1 in a file
    event: int
    # Channel number, as in logs
    channel: int
    # Frame as text, such as 7E8#0462F19001
    text: str
    # Whether this event violates the check
    is_violation: bool


class CheckResultPlot(TypedDict):
    # What is plotted, such as the cycle time
    name: str
    unit: str
    # Lowest allowed value
    low: Optional[float]
    # Highest allowed value
    high: Optional[float]
    # Lowest and highest values of short times, at most 512
    points: List[CheckResultPlotPoints]


class CheckResultPlotPoints(TypedDict):
    # Time of the first value, in microseconds since the start
    time_us: int
    min: float
    max: float


class ConditionCheckRequest(TypedDict):
    # Condition to check: a condition such as signal Engine.EngineSpeed > 3000
    condition: str


class ConditionReport(TypedDict):
    # The condition as it is understood
    condition: str
    # A state holds for a time, and fires when it becomes true. An instant fires at a moment
    kind: Literal["state", "instant"]
    # The parts of the condition, in the order of the text
    terms: List[ConditionReportTerms]
    # How often it fired from since_us to until_us
    fired: int
    # When it last fired, as Unix time in microseconds; null if it did not
    last_fired_us: Optional[int]
    # Whether a state holds at until_us; null for an instant
    holds: Optional[bool]
    # First time that counts: up to a minute before the request, as far as the rings hold the channels, as Unix time in microseconds
    since_us: int
    # Time of the request, as Unix time in microseconds
    until_us: int
    # Events that were overwritten while they were read
    missed: int


class ConditionReportTerms(TypedDict):
    term: str
    kind: Literal["state", "instant"]
    # Selectors of the open channels that the term watches
    channels: List[str]
    # Databases that have the signal of the term
    databases: List[str]


class Dashboard(TypedDict, total=False):
    """Dashboard of the console"""

    title: str
    # Description of the bench
    about: str
    # Suggested pages
    links: List[DashboardLinks]
    # Signals shown large, with their last minute
    tiles: List[DashboardTiles]
    # Signals plotted by default
    plot: List[DashboardPlot]


class DashboardLinks(TypedDict):
    title: str
    # Console page, such as trace?view=by-id
    page: str


class DashboardTiles(TypedDict):
    title: str
    # Selector of the channel that receives the message
    channel: str
    database: str
    message: str
    signals: List[str]


class DashboardPlot(TypedDict):
    # Selector of the channel that receives the message
    channel: str
    database: str
    message: str
    signal: str


class Database(TypedDict):
    name: str
    type: Literal["dbc", "ldf"]
    # As given, inside the project directory
    file: str
    # File size
    size_bytes: int
    # Character encoding of the file
    encoding: str
    version: Optional[str]
    # Number of messages
    messages: int
    # Number of signals in all messages
    signals: int
    # J1939 messages, matched by PGN regardless of priority and addresses
    j1939_messages: int
    # Number of nodes
    nodes: int
    # Number of diagnostics
    warnings: int
    # Number of invalid statements
    errors: int
    # Unix time in microseconds
    loaded_at_us: int


class DatabaseContent(TypedDict):
    name: str
    type: Literal["dbc", "ldf"]
    # As given, inside the project directory
    file: str
    # File size
    size_bytes: int
    # Character encoding of the file
    encoding: str
    version: Optional[str]
    # Number of messages
    messages: int
    # Number of signals in all messages
    signals: int
    # J1939 messages, matched by PGN regardless of priority and addresses
    j1939_messages: int
    # Number of nodes
    nodes: int
    # Number of diagnostics
    warnings: int
    # Number of invalid statements
    errors: int
    # Unix time in microseconds
    loaded_at_us: int
    # Nodes and schedules of a LIN network
    lin: Optional[DatabaseLinNetwork]
    # First diagnostics
    diagnostics: List[DatabaseDiagnostic]
    # Total number of messages
    message_total: int
    # Index of the first message of this page
    message_offset: int
    # Index of the next page; message_total after the last page
    message_next_offset: int
    message_page: List[DatabaseMessage]


class DatabaseDiagnostic(TypedDict):
    severity: Literal["info", "warning", "error"]
    code: DatabaseDiagnosticCode
    line: int
    column: int
    message: str
    # How the reader handled it
    action: str


DatabaseDiagnosticCode = Literal["access_unknown", "array_unaligned", "attribute_defined_twice", "attribute_mismatch", "attribute_undefined", "attributes_missing", "byte_order_ignored", "comment_without_kind", "comment_without_signal", "delay_irregular", "diagnostics_omitted", "encoding_mismatch", "factor_zero", "frame_id_reserved", "frame_length_irregular", "id_negative", "id_repeated", "id_without_mark", "initial_out_of_range", "integer_with_fraction", "length_needs_fd", "length_zero", "limit_not_finite", "limits_reversed", "master_missing", "matched_by_pgn", "multiplexing_endless", "multiplexing_unmarked", "multiplexing_unusable", "multiplexing_without_value", "multiplexor_ambiguous", "multiplexor_missing", "name_irregular", "name_repeated", "node_address_irregular", "number_hexadecimal", "overlap_check_incomplete", "pgn_repeated", "publisher_mismatch", "range_empty", "reference_unknown", "section_repeated", "semicolon_missing", "sender_missing", "signal_beyond_message", "signal_scattered", "signal_without_message", "signals_overlap", "statement_unknown", "syntax", "value_not_whole", "value_out_of_range", "value_type_mismatch", "version_unknown"]


class DatabaseLinEntry(TypedDict):
    command: Literal["frame", "sporadic", "master_request", "slave_response", "assign_nad", "save_configuration", "assign_frame_id_range", "assign_frame_id", "unassign_frame_id", "data_dump", "conditional_change_nad", "free_format"]
    frame: Optional[str]
    node: Optional[str]
    # Integers of the command
    data: List[int]
    # Length of the slot, in milliseconds
    delay_ms: str


class DatabaseLinFrame(TypedDict):
    kind: Literal["unconditional", "event_triggered", "diagnostic"]
    # Node that sends the data; null for frames of several nodes
    publisher: Optional[str]
    checksum: Literal["classic", "enhanced"]
    # Frames of an event-triggered frame
    frames: List[str]
    # Schedule table that resolves a collision of the event-triggered frame
    collision_table: Optional[str]


class DatabaseLinNetwork(TypedDict):
    protocol_version: Optional[str]
    language_version: Optional[str]
    # Bits per second
    bitrate: Optional[int]
    channel_name: Optional[str]
    master: Optional[str]
    time_base_ms: Optional[str]
    jitter_ms: Optional[str]
    slaves: List[DatabaseLinSlave]
    sporadic_frames: List[DatabaseLinNetworkSporadicFrames]
    schedule_tables: List[DatabaseLinNetworkScheduleTables]
    # Whether slaves, sporadic frames and tables were too large for the response
    omitted: bool


class DatabaseLinNetworkSporadicFrames(TypedDict):
    name: str
    # By priority, highest first
    frames: List[str]


class DatabaseLinNetworkScheduleTables(TypedDict):
    # Name
    name: str
    entries: List[DatabaseLinEntry]


class DatabaseLinSlave(TypedDict):
    name: str
    # LIN version
    protocol: Optional[str]
    initial_nad: Optional[int]
    configured_nad: Optional[int]
    product: Optional[DatabaseLinSlaveProduct]
    # Signal that reports errors
    response_error: Optional[str]
    fault_state_signals: List[str]
    # Least time between request and response, in milliseconds
    p2_min_ms: str
    # Least time between two frames of a response, in milliseconds
    st_min_ms: str
    # Time-out of the sender, in milliseconds
    n_as_timeout_ms: str
    # Time-out of the receiver, in milliseconds
    n_cr_timeout_ms: str
    configurable_frames: List[DatabaseLinSlaveConfigurableFrames]


class DatabaseLinSlaveProduct(TypedDict):
    supplier: int
    function: int
    variant: int


class DatabaseLinSlaveConfigurableFrames(TypedDict):
    frame: str
    message_id: Optional[int]


class _DatabaseLoadRequestRequired(TypedDict):
    # File to load
    file: str


class DatabaseLoadRequest(_DatabaseLoadRequestRequired, total=False):
    # Name for the database; default: the file name
    name: str
    # File format; default: the file name and the first bytes decide
    type: Literal["dbc", "ldf"]


class DatabaseMessage(TypedDict):
    # Unique in the database: a repeated name becomes Name#2 and so on
    name: str
    id: int
    extended: bool
    # J1939 parameter group number that frames are matched by; null: they are matched by identifier
    pgn: Optional[int]
    fd: bool
    brs: bool
    # Bytes
    length: int
    senders: List[str]
    cycle_time_ms: Optional[float]
    comment: Optional[str]
    # Properties of a LIN frame
    lin: Optional[DatabaseLinFrame]
    # Index of the first signal shown
    signal_offset: int
    signals: List[DatabaseSignal]
    # Signals after the ones shown that did not fit into the response
    signals_omitted: int


class DatabaseSignal(TypedDict):
    # Unique in the message: a repeated name becomes Name#2 and so on
    name: str
    # Least significant bit (Intel) or most significant bit (Motorola)
    start_bit: int
    # Bits
    length: int
    byte_order: Literal["intel", "motorola"]
    kind: Literal["unsigned", "signed", "float32", "float64"]
    # Factor that the raw value is multiplied by
    factor: str
    # Offset that is added after the factor
    offset: str
    minimum: Optional[str]
    maximum: Optional[str]
    unit: str
    receivers: List[str]
    # Whether it is a multiplexer switch
    is_switch: bool
    # When the signal is present in the message; null: always
    multiplexing: Optional[DatabaseSignalMultiplexing]
    values: List[DatabaseSignalValues]
    # Raw values with a physical value, each range with its own scale; the first one that fits is used. Null: factor and offset apply to every raw value
    ranges: Optional[List[DatabaseSignalRanges]]
    # Text of a byte array; null: the signal is a number
    array: Optional[Literal["hex", "bcd", "ascii"]]
    # Raw value that senders use unless they name another; null: the file has none, so all bits are 1 (not available) in J1939, and otherwise the raw value is 0 or the lowest allowed
    start_value: Optional[str]
    # Value descriptions that did not fit into the response; 0 except for huge signals
    values_omitted: int
    comment: Optional[str]


class DatabaseSignalMultiplexing(TypedDict):
    switch: str
    ranges: List[DatabaseSignalMultiplexingRanges]


DatabaseSignalMultiplexingRanges = TypedDict(
    "DatabaseSignalMultiplexingRanges",
    {"from": "str", "to": "str"},
)


class DatabaseSignalValues(TypedDict):
    # Raw value as a decimal integer
    raw: str
    text: str


DatabaseSignalRanges = TypedDict(
    "DatabaseSignalRanges",
    {"from": "str", "to": "str", "factor": "str", "offset": "str", "unit": "str"},
)


class DecodedSignal(TypedDict):
    signal: str
    # Exact physical value; null if there is none
    value: Optional[str]
    # Exact raw value
    raw: str
    unit: str
    # Value description from the database
    label: Optional[str]


class Device(TypedDict):
    sn: str
    uid: str
    name: str
    driver: str
    firmware_version: str
    state: Literal["present", "lost"]
    needs: Optional[str]
    ports: List[DevicePorts]


class DevicePorts(TypedDict):
    port: int
    name: str
    selector: str
    # Protocols that the port supports, the most capable last
    buses: List[Literal["can", "canfd", "lin"]]
    # Slot of the open channel
    channel: Optional[int]
    capabilities: DevicePortsCapabilities


class DevicePortsCapabilities(TypedDict):
    modes: List[Literal["normal", "listen_only", "loopback"]]
    # Settings that can be changed while the channel is open
    settings: List[Literal["timing", "lin", "mode", "termination", "pull_up", "bitrate", "power", "restart_ms"]]
    bitrate: DevicePortsCapabilitiesBitrate
    data_bitrate: Optional[DevicePortsCapabilitiesDataBitrate]
    clock_hz: Optional[int]
    lin_roles: List[Literal["master", "slave"]]
    lin_versions: List[Literal["1.3", "2.0", "2.1", "2.2"]]
    # Number of frames that can be queued
    tx_queue: int


class DevicePortsCapabilitiesBitrate(TypedDict):
    min: float
    max: float


class DevicePortsCapabilitiesDataBitrate(TypedDict):
    min: float
    max: float


class DiagnosticLink(TypedDict):
    # Name of the ECU
    ecu: str
    # Whether the bench file names the ECU
    in_bench: bool
    # Channel selector as given
    channel: str
    # Stable selector of the channel; null unless the link is open
    selector: Optional[str]
    slot: Optional[int]
    # closed until the first request to an ECU of the bench file; waiting while the channel is closed or its device is missing
    state: Literal["closed", "open", "waiting"]
    settings: DiagnosticLinkSettings
    # Diagnostic session; 1 is the default session
    session: int
    # Unlocked security level; 0 is locked
    security_level: int
    # Whether TesterPresent is sent
    tester_present: bool
    tester_present_ms: Optional[int]
    # Requests that wait for the one under way
    queued: int
    counters: DiagnosticLinkCounters
    last_finding: Optional[str]
    opened_at_us: Optional[int]


class DiagnosticLinkSettings(TypedDict):
    # Frames on LIN are those of extended addressing
    addressing: Literal["normal", "normal_fixed", "extended", "mixed"]
    nad: Optional[int]
    # Identifier of requests
    request_id: int
    # Identifier of responses
    response_id: int
    functional_id: Optional[int]
    # Whether identifiers have 29 bits
    extended: bool
    source: Optional[int]
    target: Optional[int]
    functional_target: Optional[int]
    address_extension: Optional[int]
    fd: bool
    brs: bool
    # Longest frame sent, in bytes
    tx_dl: int
    # Byte that fills frames, in hex, or none
    padding: str
    # Frames that the ECU may send before the next flow control; 0 = all
    block_size: int
    # STmin of our flow control
    st_min_us: int
    # Longest response in bytes
    max_length: int
    # P2 of the default session
    p2_ms: int
    # P2* of the default session
    p2_star_ms: int
    # Time to send a frame
    n_as_ms: int
    # Time until a flow control
    n_bs_ms: int
    # Time until the next consecutive frame
    n_cr_ms: int
    # Wait frames accepted in a row; 0 = any number
    wait_max: int


class DiagnosticLinkCounters(TypedDict):
    # Requests sent, with TesterPresent
    sent: int
    # Payloads received
    received: int
    # Requests that timed out
    timeouts: int
    # Violations of the protocol by the ECU, and responses to no request
    findings: int


class _DiagnosticLinkRequestRequired(TypedDict):
    # CAN channel, or LIN channel with nad: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str
    # Name for the ECU
    name: str


class DiagnosticLinkRequest(_DiagnosticLinkRequestRequired, total=False):
    # Node address of an ECU on LIN. Requests use the MasterReq and SlaveResp slots of the running schedule
    nad: int
    # Identifier of requests; a string is hex as printed
    request_id: Union[int, str]
    # Identifier of responses; a string is hex as printed
    response_id: Union[int, str]
    # Identifier of functional requests; a string is hex as printed
    functional_id: Union[int, str]
    # Whether identifiers have 29 bits; default: whether one of them needs them
    extended: bool
    # Addressing of ISO 15765-2; normal_fixed, and mixed with 29 bits, derive the identifiers from source and target; default: normal
    addressing: Literal["normal", "normal_fixed", "extended", "mixed"]
    # Address of the tester; a string is hex
    source: Union[int, str]
    # Address of the ECU; a string is hex
    target: Union[int, str]
    # Address of functional requests in extended addressing; default: target; a string is hex
    functional_target: Union[int, str]
    # Address extension of mixed addressing; a string is hex
    address_extension: Union[int, str]
    # CAN FD frames; default: false
    fd: bool
    # Data at the data bit rate; default: whether fd is true
    brs: bool
    # Longest frame sent, in bytes; default: 8, or 64 with fd
    tx_dl: Literal[8, 12, 16, 20, 24, 32, 48, 64]
    # Byte that fills frames, in hex, or none; default: CC
    padding: str
    # Frames that the ECU may send before the next flow control; default: 0, all
    block_size: int
    # STmin of our flow control in microseconds: 100 to 900, or whole milliseconds up to 127000; default: 0
    st_min_us: int
    # Longest response in bytes; default: 4095
    max_length: int
    # P2: time until a response begins; default: 50
    p2_ms: int
    # P2*: the same after a pending response; default: 5000
    p2_star_ms: int
    # N_As: time to send a frame; default: 1000
    n_as_ms: int
    # N_Bs: time until a flow control; default: 1000
    n_bs_ms: int
    # N_Cr: time until the next consecutive frame; default: 1000
    n_cr_ms: int
    # Wait frames accepted in a row; default: 0, any number
    wait_max: int
    # Data identifiers with names and codecs, or the file that contains them
    dids: Union[str, Dict[str, DiagnosticLinkRequestDids]]
    # Function that computes keys for security access
    seed_key: DiagnosticLinkRequestSeedKey


class DiagnosticLinkRequestDids(TypedDict, total=False):
    # Name that requests can use instead of the identifier
    name: str
    # Bytes of the value; without it, one that takes the rest
    length: int
    # Text, bytes, or a linear codec as in a gateway project
    codec: Union[Literal["ascii", "hex"], DiagnosticLinkRequestDidsCodec]


class _DiagnosticLinkRequestDidsCodecRequired(TypedDict):
    # Physical value = factor × raw + offset
    kind: Literal["linear"]
    # What the bits are
    raw: Literal["unsigned", "signed", "float32", "float64", "bool"]


class DiagnosticLinkRequestDidsCodec(_DiagnosticLinkRequestDidsCodecRequired, total=False):
    # Ignored, as in a gateway project
    id: str
    # Bits of the raw value; default: all of length
    bit_length: int
    # Order of the bytes
    byte_order: Literal["intel", "motorola"]
    # Physical value of one raw step
    factor: float
    # Physical value of raw 0
    offset: float
    # Least raw value
    raw_min: str
    # Largest raw value
    raw_max: str
    # Raw values with a special meaning
    special: List[DiagnosticLinkRequestDidsCodecSpecial]
    # Raw value of an invalid signal
    invalid_raw: str
    # For people
    comment: str


class _DiagnosticLinkRequestDidsCodecSpecialRequired(TypedDict):
    # Raw value
    raw: str
    # What it means
    state: Literal["invalid", "not_available", "error"]


class DiagnosticLinkRequestDidsCodecSpecial(_DiagnosticLinkRequestDidsCodecSpecialRequired, total=False):
    # What it is called
    label: str


class DiagnosticLinkRequestSeedKey(TypedDict):
    """Function that computes keys for security access"""

    # Shared library below plugins/ of the project, such as plugins/key.so
    library: str
    # Function of the library that computes a key from a seed
    entry: str


class DiagnosticRequest(TypedDict, total=False):
    # Request in hex, at most 30000 bytes; spaces and separators between bytes are allowed
    data: str
    # File of the project whose bytes are the request, instead of data
    file: str
    # Protocol of the request; with isotp, any payload is sent and the first one received is the response
    protocol: Literal["uds", "isotp"]
    # Await the response; otherwise return when the request is sent
    wait: bool
    # Send to functional_id: the request fits one frame, and responses of all ECUs are collected for P2
    functional: bool
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class _DiagnosticResponseRequired(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int


class DiagnosticResponse(_DiagnosticResponseRequired, total=False):
    # Responses to a functional request, by all ECUs
    responses: List[DiagnosticResponseResponses]


class DiagnosticResponseResponses(TypedDict):
    # Identifier of the response
    id: int
    # Address byte before the payload, which distinguishes responses with one identifier: of the tester in extended addressing, of the network in mixed; on LIN the node address; null without one
    address: Optional[int]
    # Response, in hex
    data: str
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]


class _E2eSettingsRequired(TypedDict):
    # AUTOSAR profile, or a free layout
    profile: Literal["1A", "1B", "1C", "1LOW", "2", "4", "5", "6", "7", "11A", "11C", "22", "free"]
    # Most steps between two good counters
    max_delta_counter: int


class E2eSettings(_E2eSettingsRequired, total=False):
    # Data id
    data_id: int
    # Data ids, one for each counter
    data_id_list: List[int]
    # Protected bytes; default: the whole message or PDU
    data_length: int
    # Where the protection begins
    offset_bits: int
    # Where the checksum is
    crc_offset_bits: int
    # Where the counter is
    counter_offset_bits: int
    # Where the high nibble of the data id is
    nibble_offset_bits: int
    # Maximum repeated frames in a row; default: unlimited
    max_no_new_or_repeated: int
    # Frames in sequence required after a sequence error; default: 0
    sync_counter_init: int
    # First counter to send; default: 0, or 1 for profiles 2 and 22
    counter_initial: str
    # The counter of the free layout
    counter: E2eSettingsCounter
    # The checksum of the free layout
    checksum: Union[E2eSettingsChecksum1, E2eSettingsChecksum2]
    # Bytes that enter the checksum first
    prefix: str
    # Bytes that enter the checksum last
    suffix: str
    # When a check is valid; without it the last frame decides
    window: E2eSettingsWindow


class E2eSettingsCounter(TypedDict):
    """The counter of the free layout"""

    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # Maximum count, after which the counter wraps to 0
    max: str


class E2eSettingsChecksum1(TypedDict):
    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # Which checksum
    algorithm: Literal["CRC8", "CRC8_GSM_A", "CRC8H2F", "CRC16", "CRC16_ARC", "CRC32", "CRC32P4", "CRC64", "sum8", "xor8"]


class E2eSettingsChecksum2(TypedDict):
    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # A CRC with parameters of its own
    algorithm: Literal["crc"]
    # Bits of the CRC
    width: int
    # Whether bits go in and come out least significant first
    reflect: bool
    # Polynomial
    polynomial: str
    # What the register begins with, as catalogues of CRCs write it
    initial: str
    # What is put over the result
    final_xor: str


class E2eSettingsWindow(TypedDict):
    """When a check is valid; without it the last frame decides"""

    # Checks that count
    size: int
    # Good ones among them that make it valid
    min_ok: int
    # Number of bad frames among them that leave it valid
    max_error: int


class _EcuEntryRequired(TypedDict):
    # Channel of the ECU, by any selector
    channel: str


class EcuEntry(_EcuEntryRequired, total=False):
    """ECU for diagnostics"""

    # Node address of an ECU on LIN. Requests use the MasterReq and SlaveResp slots of the running schedule
    nad: int
    # Identifier of requests; a string is hex as printed
    request_id: Union[int, str]
    # Identifier of responses; a string is hex as printed
    response_id: Union[int, str]
    # Identifier of functional requests; a string is hex as printed
    functional_id: Union[int, str]
    # Whether identifiers have 29 bits; default: whether one of them needs them
    extended: bool
    # Addressing of ISO 15765-2; normal_fixed, and mixed with 29 bits, derive the identifiers from source and target; default: normal
    addressing: Literal["normal", "normal_fixed", "extended", "mixed"]
    # Address of the tester; a string is hex
    source: Union[int, str]
    # Address of the ECU; a string is hex
    target: Union[int, str]
    # Address of functional requests in extended addressing; default: target; a string is hex
    functional_target: Union[int, str]
    # Address extension of mixed addressing; a string is hex
    address_extension: Union[int, str]
    # CAN FD frames; default: false
    fd: bool
    # Data at the data bit rate; default: whether fd is true
    brs: bool
    # Longest frame sent, in bytes; default: 8, or 64 with fd
    tx_dl: Literal[8, 12, 16, 20, 24, 32, 48, 64]
    # Byte that fills frames, in hex, or none; default: CC
    padding: str
    # Frames that the ECU may send before the next flow control; default: 0, all
    block_size: int
    # STmin of our flow control in microseconds: 100 to 900, or whole milliseconds up to 127000; default: 0
    st_min_us: int
    # Longest response in bytes; default: 4095
    max_length: int
    # P2: time until a response begins; default: 50
    p2_ms: int
    # P2*: the same after a pending response; default: 5000
    p2_star_ms: int
    # N_As: time to send a frame; default: 1000
    n_as_ms: int
    # N_Bs: time until a flow control; default: 1000
    n_bs_ms: int
    # N_Cr: time until the next consecutive frame; default: 1000
    n_cr_ms: int
    # Wait frames accepted in a row; default: 0, any number
    wait_max: int
    # Data identifiers with names and codecs, or the file that contains them
    dids: Union[str, Dict[str, EcuEntryDids]]
    # Function that computes keys for security access
    seed_key: EcuEntrySeedKey


class EcuEntryDids(TypedDict, total=False):
    # Name that requests can use instead of the identifier
    name: str
    # Bytes of the value; without it, one that takes the rest
    length: int
    # Text, bytes, or a linear codec as in a gateway project
    codec: Union[Literal["ascii", "hex"], EcuEntryDidsCodec]


class _EcuEntryDidsCodecRequired(TypedDict):
    # Physical value = factor × raw + offset
    kind: Literal["linear"]
    # What the bits are
    raw: Literal["unsigned", "signed", "float32", "float64", "bool"]


class EcuEntryDidsCodec(_EcuEntryDidsCodecRequired, total=False):
    # Ignored, as in a gateway project
    id: str
    # Bits of the raw value; default: all of length
    bit_length: int
    # Order of the bytes
    byte_order: Literal["intel", "motorola"]
    # Physical value of one raw step
    factor: float
    # Physical value of raw 0
    offset: float
    # Least raw value
    raw_min: str
    # Largest raw value
    raw_max: str
    # Raw values with a special meaning
    special: List[EcuEntryDidsCodecSpecial]
    # Raw value of an invalid signal
    invalid_raw: str
    # For people
    comment: str


class _EcuEntryDidsCodecSpecialRequired(TypedDict):
    # Raw value
    raw: str
    # What it means
    state: Literal["invalid", "not_available", "error"]


class EcuEntryDidsCodecSpecial(_EcuEntryDidsCodecSpecialRequired, total=False):
    # What it is called
    label: str


class EcuEntrySeedKey(TypedDict):
    """Function that computes keys for security access"""

    # Shared library below plugins/ of the project, such as plugins/key.so
    library: str
    # Function of the library that computes a key from a seed
    entry: str


class Error(TypedDict):
    code: ErrorCode
    message: str
    # Facts for programs, such as the invalid field
    details: Dict[str, Any]
    # Whether the same request may succeed later; false for a permanent cause, regardless of the code
    retryable: bool


ErrorCode = Literal["invalid_argument", "invalid_channel_selector", "unsupported_websocket_subprotocol", "unknown_command", "unauthorized", "operation_not_allowed", "origin_not_allowed", "path_outside_project", "channel_not_found", "database_not_found", "device_not_found", "ecu_not_found", "simulated_ecu_not_found", "file_not_found", "job_not_found", "message_not_found", "no_sample", "operation_not_found", "plan_not_found", "endpoint_not_found", "claim_not_found", "recorder_not_found", "route_not_found", "schedule_not_found", "schedule_table_not_found", "server_not_found", "instance_not_found", "fault_rule_not_found", "signal_not_found", "task_not_found", "method_not_allowed", "request_timeout", "address_in_use", "already_running", "instance_running", "output_conflict", "signal_not_writable", "j1939_address_taken", "ambiguous_message", "already_exists", "busy", "capacity_exceeded", "channel_cannot_send", "channel_not_open", "cursor_expired", "file_unavailable", "listen_failed", "firmware_index_missing", "network_unbound", "operation_cancelled", "web_not_running", "payload_too_large", "unsupported_media_type", "invalid_bench", "invalid_database", "unsupported_database", "invalid_diagnostics_file", "invalid_modbus_map", "invalid_firmware_index", "invalid_project", "unsupported_gateway_feature", "plugin_failed", "invalid_trace", "trace_damaged", "checks_failed", "checks_not_observed", "missing_cycle", "unsupported_by_hardware", "headers_too_large", "internal_error", "output_failed", "response_too_large", "hardware_error", "firmware_index_unreachable", "j1939_aborted", "flow_control_overflow", "sequence_error", "response_too_long", "unexpected_response", "modbus_exception", "modbus_bad_reply", "modbus_unreachable", "too_many_clients", "daemon_unreachable", "daemon_start_failed", "version_mismatch", "hardware_timeout", "j1939_timeout", "no_response", "response_pending_timeout", "flow_control_timeout", "consecutive_frame_timeout", "modbus_timeout", "instance_unresponsive"]


class ErrorEnvelope(TypedDict):
    error: Error
    # Also in the x-request-id header
    request_id: str


class _FilePutRequestRequired(TypedDict):
    # Bytes of this part in Base64
    data: str


class FilePutRequest(_FilePutRequestRequired, total=False):
    # Upload that this part continues; default: the first part of a new one
    upload: str
    # Position of this part in the file: the end of the parts so far
    offset: int
    # Whether this is the last part
    complete: bool
    # Version to replace; without it, the file must not exist
    replaces: str


class FileUpload(TypedDict):
    file: str
    # Upload to which the next part belongs; null when the file is complete
    upload: Optional[str]
    # Bytes that have arrived
    bytes: int
    # Version of the file, as its ETag; null until it is complete
    version: Optional[str]


class FirmwareReport(TypedDict):
    sn: str
    uid: str
    # Device name under which the index lists releases
    device: str
    # Installed version, as reported by the device
    installed: str
    # Installed version compared with the latest one; unknown if they cannot be compared
    status: Literal["current", "outdated", "newer", "not_listed", "unknown"]
    # Newest release for the device; null if the index has none
    latest: Optional[FirmwareReportLatest]
    # File or URL of the index
    index: str


class FirmwareReportLatest(TypedDict):
    version: str
    notes: Optional[str]
    url: Optional[str]


class FlashReport(TypedDict):
    ecu: str
    # Image
    file: str
    # File of the steps
    sequence: str
    # Bytes of the image that the ECU acknowledged
    bytes: int
    # Ranges of memory in the image
    segments: List[FlashReportSegments]
    # Requests sent
    requests: int
    # Responses 0x78
    pending: int
    # Time of the whole sequence
    duration_us: int
    steps: List[FlashReportSteps]


class FlashReportSegments(TypedDict):
    # First address
    address: int
    # Bytes
    size: int


class FlashReportSteps(TypedDict):
    name: str
    # Requests of the step
    requests: int
    # Time of the step
    duration_us: int


class _FlashRequestRequired(TypedDict):
    # Image in the project: Intel HEX, S-records, or .bin with address
    file: str
    # File of the project with the steps
    sequence: str


class FlashRequest(_FlashRequestRequired, total=False):
    # Address of the first byte of a .bin file
    address: int


GatewayEncodingErrorCode = Literal["out_of_range", "reserved_code", "inexact", "native_failed"]


class GatewayEvents(TypedDict):
    signals: GatewayEventsSignals
    status: GatewayInstance
    tasks: GatewayEventsTasks
    faults: GatewayEventsFaults
    fault_events: GatewayEventsFaultEvents
    observed: GatewayEventsObserved
    end: GatewayEventsEnd


class GatewayEventsSignals(TypedDict):
    # Name of the instance
    instance: str
    signals: List[GatewaySignal]


class GatewayEventsTasks(TypedDict):
    # Name of the instance
    instance: str
    tasks: List[GatewayTask]


class GatewayEventsFaults(TypedDict):
    # Name of the instance
    instance: str
    faults: List[GatewayFault]


class GatewayEventsFaultEvents(TypedDict):
    # Name of the instance
    instance: str
    fault_events: List[GatewayFaultEvent]


class GatewayEventsObserved(TypedDict):
    # Name of the instance
    instance: str
    observed: List[GatewayEventsObservedObserved]


class GatewayEventsObservedObserved(TypedDict):
    # Place of the first of these signals
    first: int
    # When each from there on was last observed, also where its value stayed the same; null if never
    observed_us: List[Optional[int]]


class GatewayEventsEnd(TypedDict):
    # Name of the instance
    instance: str
    # Whether the instance was unloaded, or the service ended the stream
    reason: Literal["unloaded", "shut_down"]


class _GatewayFaultRequired(TypedDict):
    # Name of the row, unique in its table
    id: str
    # Task whose frames are meant
    task: str
    # Whether it is switched on
    enabled: bool
    # What it does
    kind: Literal["drop", "repeat", "bypass", "suppress", "xor_byte", "set_byte", "freeze_counter", "counter_jump", "corrupt_checksum"]
    # First opportunity at which it fires
    start: int
    # Opportunities from one firing to the next
    every: int
    # How often it fires; 0 without end
    count: int
    # How often it has fired since the start, or since it was switched on
    fired: int


class GatewayFault(_GatewayFaultRequired, total=False):
    # Byte that is changed; required for xor_byte and set_byte
    byte_offset: int
    # Bits of the byte that xor_byte flips or set_byte writes, required for both; or what counter_jump and corrupt_checksum use without a value
    mask: int
    # Counter that freeze_counter sends, or else counter_initial; increment of counter_jump; bits of the checksum that corrupt_checksum flips, from 1. counter_jump and corrupt_checksum require value or mask
    value: str
    # For people; kept when the project is saved
    comment: str


class GatewayFaultEvent(TypedDict):
    # Counts the events of the instance
    sequence: int
    # Unix time in microseconds
    timestamp_us: int
    # Id of the fault rule
    rule: str
    # What it does
    kind: Literal["drop", "repeat", "bypass", "suppress", "xor_byte", "set_byte", "freeze_counter", "counter_jump", "corrupt_checksum"]
    # What became of the frame; a repeat is suppressed if there was no frame to repeat, and conflict says that rules excluded each other
    effect: Literal["injected", "unprotected", "dropped", "repeated", "suppressed", "conflict"]
    # Id of the task
    task: str
    # Event of the transmitted frame, kind tx_complete; null if none was sent, or not yet
    event_id: Optional[int]
    # Slot of the channel; null if it was not open
    channel: Optional[int]
    # Selector of the channel; null if it is not open
    selector: Optional[str]
    # CAN identifier
    id: int
    extended: bool
    fd: bool
    brs: bool
    # The frame as it was sent, or would have been if dropped, in uppercase hex; null if none was built
    data: Optional[str]


class GatewayFaultHistory(TypedDict):
    instance: str
    state: Literal["loaded", "starting", "running", "stopping", "stopped"]
    # Sequence to continue after
    next_after: int
    # Sequence of the oldest event that is kept
    oldest_available: int
    # Sequence of the newest event
    newest_available: int
    fault_events: List[GatewayFaultEvent]


class GatewayFaultPage(TypedDict):
    instance: str
    state: Literal["loaded", "starting", "running", "stopping", "stopped"]
    # Fault rules in all
    fault_total: int
    # Index of the first message of this page
    fault_offset: int
    # Index of the next page; the total after the last page
    fault_next_offset: int
    faults: List[GatewayFault]


class GatewayFaultRequest(TypedDict):
    # Whether the rule is enabled
    enabled: bool


class GatewayFilePage(TypedDict):
    type: str
    # false where the directory is too large or too deep to be searched whole
    complete: bool
    # Files found
    file_total: int
    # Index of the first message of this page
    file_offset: int
    # Index of the next page; the total after the last page
    file_next_offset: int
    files: List[GatewayFilePageFiles]


class GatewayFilePageFiles(TypedDict):
    # Path that other operations take
    file: str
    # Size
    bytes: int
    # Unix time in microseconds
    modified_us: int


class GatewayGraphEdge(TypedDict):
    group: Literal["edges"]
    # Node that the value comes from
    source: str
    # Node that the value goes to
    target: str
    # Binding that carries it; null elsewhere
    binding: Optional[str]


class GatewayGraphNode(TypedDict):
    group: Literal["nodes"]
    # Unique in the graph: kind and row
    id: str
    kind: Literal["endpoint", "message", "pdu", "resource", "signal", "mapping", "processor", "task"]
    # Id of the row in its table
    row: str
    # Endpoint of a message, PDU, resource or task; null elsewhere
    endpoint: Optional[str]
    # Details next to its name: bus, identifier, bytes, table and address, producer, transformation, trigger
    detail: str
    # End-to-end protection of a message; null without one
    protection: Optional[GatewayProtection]


class GatewayGraphPage(TypedDict):
    instance: str
    # Nodes in all
    node_total: int
    # Edges in all
    edge_total: int
    # Both together
    element_total: int
    # Index of the first message of this page
    element_offset: int
    # Index of the next page; the total after the last page
    element_next_offset: int
    elements: List[Union[GatewayGraphNode, GatewayGraphEdge]]


class GatewayImport(TypedDict):
    # File written
    output: str
    id: Optional[str]
    # Rows of each table
    counts: GatewayImportCounts
    # Rows that came from the DBC file
    added: GatewayImportAdded
    # Defaults for values missing from the file; the first 200
    defaults: List[GatewayImportDefault]
    # All of these
    defaults_total: int
    # What of the file is not in the project; the first 200
    omitted: List[GatewayImportOmission]
    # All of these
    omitted_total: int
    # Probable mistakes; at most 200
    warnings: List[GatewayWarning]
    # All of these
    warnings_total: int


class GatewayImportCounts(TypedDict):
    """Rows of each table"""

    # Rows
    endpoints: int
    # Rows
    signals: int
    # Rows
    codecs: int
    # Rows
    messages: int
    # Rows
    pdus: int
    # Rows
    modbus_resources: int
    # Rows
    bindings: int
    # Rows
    mappings: int
    # Rows
    tx_tasks: int
    # Rows
    e2e: int
    # Rows
    fault_rules: int
    # Rows
    plugins: int


class GatewayImportAdded(TypedDict):
    """Rows that came from the DBC file"""

    # Rows
    endpoints: int
    # Rows
    signals: int
    # Rows
    codecs: int
    # Rows
    messages: int
    # Rows
    pdus: int
    # Rows
    modbus_resources: int
    # Rows
    bindings: int
    # Rows
    mappings: int
    # Rows
    tx_tasks: int
    # Rows
    e2e: int
    # Rows
    fault_rules: int
    # Rows
    plugins: int


class GatewayImportDefault(TypedDict):
    # Id of the message
    message: str
    # Field that was filled
    field: str
    # What it was filled with
    value: int
    # Why
    rule: str


class GatewayImportOmission(TypedDict):
    # Name of the message in the DBC file
    message: str
    signal: Optional[str]
    # All of the message or signal, or names of some of its values
    part: Literal["message", "signal", "labels"]
    # Why
    reason: str


class _GatewayImportRequestRequired(TypedDict):
    # DBC file
    file: str
    # Project to write
    output: str
    # Logical network of the bench
    network: str
    # Direction of the messages
    direction: Literal["rx", "tx"]


class GatewayImportRequest(_GatewayImportRequestRequired, total=False):
    # Replace the file if it exists
    overwrite: bool
    # Project to merge into
    merge: str
    # Project ID; a merged project keeps its own
    instance: str
    # How to send messages without a cycle time; by default they are rejected
    missing_cycle: Literal["periodic", "on_change"]
    # Cycle time for those messages; periodic requires a value above 0
    default_period_ms: int
    # Timeout for values of received messages without a cycle time; 0 = no timeout
    stale_after_ms: int


class GatewayInstance(TypedDict):
    instance: str
    state: Literal["loaded", "starting", "running", "stopping", "stopped"]
    health: Literal["ok", "degraded"]
    project_id: Optional[str]
    # Where it was loaded from
    file: str
    # Load time as Unix time; distinguishes instances of the same name
    loaded_at_us: int
    # Tasks with an error, on all pages
    failed_tasks: int
    # Messages whose end-to-end check fails while their frames arrive
    failed_checks: int
    # Ids of these messages; the first 32
    failed_check_messages: List[str]
    # Transmissions that the transport took: sent, failed and pending ones
    accepted: int
    # Completions that were observed
    sent: int
    # Accepted ones that failed
    failed: int
    # Accepted ones without an outcome yet
    pending: int
    # Pending ones that will have none, because the transport was released
    unconfirmed: int
    # States that were replaced by newer ones before they were accepted
    coalesced: int
    # Requests of processors that wait
    queued_requests: int
    # Requests of processors that were given up
    cancelled_requests: int
    # Requests of processors that were rejected: all of a group, also of one with too many
    processor_rejected_requests: int
    # Periods that began more than a millisecond late
    late: int
    # Whole periods that were skipped
    missed: int
    # Frames built by protection
    generated: int
    # Frames changed by fault rules
    injected: int
    # Frames that bypassed protection
    unprotected: int
    # Frames dropped by fault rules
    dropped: int
    # Frames repeated by fault rules
    repeated: int
    # Frames suppressed by fault rules
    suppressed: int
    # Opportunities at which fault rules excluded each other
    fault_conflicts: int
    # Polled values that were replaced before they were used
    poll_coalesced: int
    # Polls that were skipped
    poll_missed: int
    rejected_frames: GatewayInstanceRejectedFrames
    # Charged for this instance
    memory_budget_bytes: int
    # Charged for all instances
    daemon_memory_budget_bytes: int
    # Endpoints in all; the first 256 are shown
    endpoint_total: int
    # Tasks in all
    task_total: int
    # Index of the first message of this page
    task_offset: int
    # Index of the next page; the total after the last page
    task_next_offset: int
    endpoints: List[GatewayInstanceEndpoints]
    tasks: List[GatewayTask]


class GatewayInstanceRejectedFrames(TypedDict):
    # Remote frames
    remote: int
    # Frames with too few bytes
    short: int
    # Frames that failed their check
    e2e: int


class GatewayInstanceEndpoints(TypedDict):
    id: str
    kind: Literal["can", "modbus"]
    network: str
    # Port or address; null before a start
    resolved: Optional[str]
    connected: bool
    error: Optional[GatewayInstanceEndpointsError]


class GatewayInstanceEndpointsError(TypedDict):
    code: GatewayTaskErrorCode
    message: str


class GatewayInstanceList(TypedDict):
    gateways: List[GatewayInstance]


class _GatewayLoadRequestRequired(TypedDict):
    # Project to load
    file: str


class GatewayLoadRequest(_GatewayLoadRequestRequired, total=False):
    # Instance name; default: the project ID, else the bench ID. Reserved: validate, import, files
    instance: str


class GatewayProtection(TypedDict):
    # Whether received frames are checked, or sent ones protected
    direction: Literal["check", "protect"]
    # First protected byte
    first_byte: int
    # Protected bytes
    length: int
    # As in the codec of the project; null for a plugin
    settings: Optional[E2eSettings]


GatewayQuality = Literal["initial", "good", "timeout", "disconnected", "invalid", "not_available", "error", "e2e_error", "transform_error", "skew", "expired", "input_invalid"]


class GatewaySaveRequest(TypedDict, total=False):
    # File to write; default: the file that the instance was loaded from
    file: str
    # Replace the file if it exists
    overwrite: bool


class GatewaySetRequest(TypedDict):
    # Signal ID
    signal: str
    # Decimal value
    value: str


class GatewaySignal(TypedDict):
    id: str
    type: Literal["bool", "int64", "uint64", "float64", "enum"]
    producer: Literal["input", "software", "waveform", "constant", "derived"]
    unit: Optional[str]
    # Exact value; null if there is none
    value: Optional[str]
    # What the value is called
    label: Optional[str]
    valid: bool
    quality: GatewayQuality
    # Unix time in microseconds
    observed_us: Optional[int]
    error: Optional[GatewaySignalError]
    # Bindings in all; the first 256 are shown
    binding_total: int
    bindings: List[GatewaySignalBindings]


class GatewaySignalError(TypedDict):
    code: GatewaySignalErrorCode
    message: str


class GatewaySignalBindings(TypedDict):
    id: str
    # Raw value, in decimal
    raw: str
    valid: bool
    # Why the value is not on the wire; cleared by the next that is
    error: Optional[GatewaySignalBindingsError]


class GatewaySignalBindingsError(TypedDict):
    code: GatewayEncodingErrorCode
    message: str


GatewaySignalErrorCode = Literal["timeout", "disconnected", "invalid", "not_available", "error", "e2e_error", "transform_error", "skew", "expired", "input_invalid"]


class GatewaySignalPage(TypedDict):
    instance: str
    state: Literal["loaded", "starting", "running", "stopping", "stopped"]
    # Grows with every change of a signal
    snapshot_version: int
    # Signals in all
    signal_total: int
    # Index of the first message of this page
    signal_offset: int
    # Index of the next page; the total after the last page
    signal_next_offset: int
    signals: List[GatewaySignal]


class GatewaySignalRules(TypedDict):
    id: str
    type: Literal["bool", "int64", "uint64", "float64", "enum"]
    producer: Literal["input", "software", "waveform", "constant", "derived"]
    unit: Optional[str]
    # Exact value; null if there is none
    value: Optional[str]
    # What the value is called
    label: Optional[str]
    valid: bool
    quality: GatewayQuality
    # Unix time in microseconds
    observed_us: Optional[int]
    error: Optional[GatewaySignalRulesError]
    # Bindings in all; the first 256 are shown
    binding_total: int
    bindings: List[GatewaySignalRulesBindings]
    # Least value that all of its bindings can hold; null if nothing limits it
    minimum: Optional[str]
    # Largest value that all of its bindings can hold; null if nothing limits it
    maximum: Optional[str]
    # Values with a name
    label_total: int
    # Values with a name; the first 1000, or as many as 512 KiB has room for
    labels: List[GatewaySignalRulesLabels]


class GatewaySignalRulesError(TypedDict):
    code: GatewaySignalErrorCode
    message: str


class GatewaySignalRulesBindings(TypedDict):
    id: str
    # Raw value, in decimal
    raw: str
    valid: bool
    # Why the value is not on the wire; cleared by the next that is
    error: Optional[GatewaySignalRulesBindingsError]


class GatewaySignalRulesBindingsError(TypedDict):
    code: GatewayEncodingErrorCode
    message: str


class GatewaySignalRulesLabels(TypedDict):
    value: str
    label: str


class GatewaySummary(TypedDict):
    instance: str
    # Load time as Unix time; distinguishes instances of the same name
    loaded_at_us: int
    state: Literal["loaded", "starting", "running", "stopping", "stopped"]
    health: Literal["ok", "degraded"]
    # Fault rules that are switched on
    enabled_faults: int


class GatewayTask(TypedDict):
    id: str
    kind: Literal["can", "modbus"]
    # null where processors decide
    policy: Optional[Literal["periodic", "on_change"]]
    mode: Literal["value", "request"]
    period_ms: Optional[int]
    state: Literal["loaded", "starting", "running", "stopping", "stopped"]
    error: Optional[GatewayTaskError]
    # What about the task is most likely not meant
    warning: Optional[GatewayTaskWarning]
    # Transmissions that the transport took: sent, failed and pending ones
    accepted: int
    # Completions that were observed
    sent: int
    # Accepted ones that failed
    failed: int
    # Accepted ones without an outcome yet
    pending: int
    # Pending ones that will have none, because the transport was released
    unconfirmed: int
    # States that were replaced by newer ones before they were accepted
    coalesced: int
    # Requests of processors that wait
    queued_requests: int
    # Requests of processors that were given up
    cancelled_requests: int
    # Requests of processors that were rejected: all of a group, also of one with too many
    processor_rejected_requests: int
    # Periods that began more than a millisecond late
    late: int
    # Whole periods that were skipped
    missed: int
    # Frames built by protection
    generated: int
    # Frames changed by fault rules
    injected: int
    # Frames that bypassed protection
    unprotected: int
    # Frames dropped by fault rules
    dropped: int
    # Frames repeated by fault rules
    repeated: int
    # Frames suppressed by fault rules
    suppressed: int
    # Opportunities at which fault rules excluded each other
    fault_conflicts: int
    # How late the latest period began
    last_lateness_us: int
    # How late the latest of all began
    max_lateness_us: int
    source_age_at_submit_us: GatewayTiming
    tick_to_submit_us: GatewayTiming
    completion_wait_us: GatewayTiming
    queue_wait_us: GatewayTiming
    protocol_wait_us: GatewayTiming


class GatewayTaskError(TypedDict):
    code: GatewayTaskErrorCode
    message: str
    # Unix time in microseconds
    timestamp_us: int


class GatewayTaskWarning(TypedDict):
    code: GatewayWarningCode
    message: str


GatewayTaskErrorCode = Literal["fault_conflict", "tx_failed", "outcome_unknown", "queue_full", "bus_off", "listen_only", "device_lost", "unpowered", "not_on_bus", "channel_not_open", "modbus_exception", "modbus_timeout", "modbus_unreachable", "modbus_bad_reply", "native_failed"]


class GatewayTiming(TypedDict):
    # Measurements
    count: int
    # Largest one
    max: int
    # Latest measurements, of which the percentiles are
    window: int
    # Median
    p50: int
    # 95th percentile
    p95: int
    # 99th percentile
    p99: int


class GatewayValidateRequest(TypedDict):
    # Project to validate
    file: str


class GatewayValidation(TypedDict):
    valid: bool
    id: Optional[str]
    # Rows of each table
    counts: GatewayValidationCounts
    # Probable mistakes; at most 200
    warnings: List[GatewayWarning]
    # All of these
    warnings_total: int


class GatewayValidationCounts(TypedDict):
    """Rows of each table"""

    # Rows
    endpoints: int
    # Rows
    signals: int
    # Rows
    codecs: int
    # Rows
    messages: int
    # Rows
    pdus: int
    # Rows
    modbus_resources: int
    # Rows
    bindings: int
    # Rows
    mappings: int
    # Rows
    tx_tasks: int
    # Rows
    e2e: int
    # Rows
    fault_rules: int
    # Rows
    plugins: int


class GatewayWarning(TypedDict):
    table: Literal["endpoints", "signals", "codecs", "messages", "pdus", "modbus_resources", "bindings", "mappings", "tx_tasks", "e2e", "fault_rules", "plugins"]
    # Id of the row
    row: Optional[str]
    # Which row of its table, from 0
    index: int
    field: str
    code: GatewayWarningCode
    message: str


GatewayWarningCode = Literal["never_sent"]


class Health(TypedDict):
    # ok when every part is ok
    status: Literal["ok", "degraded"]
    # Unix time of this response in microseconds
    time_us: int
    daemon: HealthDaemon
    web: HealthWeb
    broker: HealthBroker
    plugins: HealthPlugins
    # Logging and recorders; their state does not affect the service status
    recording: HealthRecording
    # Gateway instances; their health does not affect the service status
    gateway: HealthGateway


class HealthDaemon(TypedDict):
    status: Literal["ok", "degraded"]
    pid: int
    uptime_us: int
    # Whether real-time scheduling was requested and granted
    realtime: Literal["off", "active", "refused"]
    threads: List[ThreadHealth]
    scheduler: HealthDaemonScheduler


class HealthDaemonScheduler(TypedDict):
    tasks: int
    lateness_us: Lateness
    last_minute_lateness_us: Lateness


class HealthWeb(TypedDict):
    # degraded while the log cannot be written
    status: Literal["ok", "degraded", "stopped"]
    listen: Optional[str]
    # Open connections
    clients: int
    # Completed HTTP requests
    requests: int
    # Log records lost since the Web service started
    log_records_dropped: int


class HealthBroker(TypedDict):
    status: Literal["ok", "degraded"]
    # Open channels
    channels: int
    # Channels that are bus off or have lost their device
    impaired: List[HealthBrokerImpaired]


class HealthBrokerImpaired(TypedDict):
    selector: str
    state: Literal["open", "bus_off", "lost", "closing"]


class HealthPlugins(TypedDict):
    status: Literal["ok", "degraded"]
    # A plugin call that does not return; the whole bench is blocked
    unresponsive: Optional[HealthPluginsUnresponsive]


class HealthPluginsUnresponsive(TypedDict):
    # Gateway instance
    instance: str
    # Plugin of its project
    plugin: str


class HealthRecording(TypedDict):
    """Logging and recorders; their state does not affect the service status"""

    recorders: List[RecorderHealth]


class HealthGateway(TypedDict):
    """Gateway instances; their health does not affect the service status"""

    instances: List[GatewaySummary]


class Info(TypedDict):
    product: str
    # Version of this build
    version: str
    # Git commit of the sources, with -dirty if they were modified; null if unknown
    commit: Optional[str]
    # Unix time of that commit in microseconds
    committed_at_us: Optional[int]
    # Release of the API contract that it implements
    contract: str
    # Version of the HTTP API
    api: str
    # Node.js version
    node: str
    platform: str
    service: InfoService


class InfoService(TypedDict):
    # Changes at every daemon start
    instance_id: str
    pid: int
    # Unix time in microseconds
    started_at_us: int
    # Project directory: files named by clients must be inside it
    project_root: str
    # Changes at every start of the Web service; null while stopped
    stream_epoch: Optional[int]


class J1939Addresses(TypedDict):
    # Addresses that this daemon claims
    claims: List[J1939Claim]
    # Nodes whose claims were seen on open channels, at most 512 per channel
    nodes: List[J1939Node]


class J1939Claim(TypedDict):
    claim_id: str
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Stable selector of the channel
    selector: str
    slot: int
    # NAME as 16 hex digits
    name: str
    # claiming until no node has objected for 250 ms, then claimed; cannot_claim if a lower NAME has the address
    state: Literal["claiming", "claimed", "cannot_claim"]
    # null if no address can be claimed
    address: Optional[int]
    requested_address: int
    # Reason why a frame could not be sent, last time
    last_error: Optional[J1939ClaimLastError]
    # Unix time in microseconds
    created_at_us: int


class J1939ClaimLastError(TypedDict):
    code: ErrorCode
    message: str


class J1939ClaimRequest(TypedDict):
    # CAN channel to claim on: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str
    # NAME of the node: 16 hex digits, most significant first
    name: str
    # Address to claim: decimal, or hex with 0x
    address: Union[int, str]


class J1939Diagnostics(TypedDict):
    lamps: J1939DiagnosticsLamps
    # Diagnostic codes (DTC); empty if the node reports no fault
    dtcs: List[J1939DiagnosticsDtcs]


class J1939DiagnosticsLamps(TypedDict):
    # on is steady; slow and fast flash with 1 and 2 Hz
    malfunction: Literal["off", "on", "slow", "fast", "not_available"]
    # on is steady; slow and fast flash with 1 and 2 Hz
    red_stop: Literal["off", "on", "slow", "fast", "not_available"]
    # on is steady; slow and fast flash with 1 and 2 Hz
    amber_warning: Literal["off", "on", "slow", "fast", "not_available"]
    # on is steady; slow and fast flash with 1 and 2 Hz
    protect: Literal["off", "on", "slow", "fast", "not_available"]


class J1939DiagnosticsDtcs(TypedDict):
    # Suspect parameter number
    spn: int
    # Failure mode identifier
    fmi: int
    # Occurrences; 126 means 126 or more, null not available
    count: Optional[int]
    # 1 is one of three older layouts that the data do not distinguish; spn is then read as version 3
    conversion: int


class J1939Node(TypedDict):
    # Slot of the channel
    channel: int
    selector: str
    # null if the node lost its address or cannot claim one
    address: Optional[int]
    # NAME as 16 hex digits
    name: str
    # Claim of this daemon on this channel, or null
    claim_id: Optional[str]
    # Time of its last claim as Unix time
    timestamp_us: int
    # Event of its last claim
    event_id: int
    # Industry group
    industry_group: int
    # Vehicle system
    vehicle_system: int
    # Instance of the vehicle system
    vehicle_system_instance: int
    # Function
    function: int
    # Instance of the function
    function_instance: int
    # Instance of the ECU
    ecu_instance: int
    # Manufacturer code
    manufacturer: int
    # Identity number
    identity: int
    # Whether the node can use another address after it lost one
    arbitrary_address: bool


class _J1939SendRequired(TypedDict):
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Stable selector of the channel
    selector: str
    slot: int
    pgn: int
    source: int
    destination: int
    # Payload bytes
    length: int
    # One frame, TP.BAM, or TP.CM with RTS and CTS
    method: Literal["frame", "broadcast", "transfer"]
    # Frames sent
    frames: int
    # Time from the request to the end of the transfer
    duration_us: int


class J1939Send(_J1939SendRequired, total=False):
    # Message, if sent by name
    message: str
    # Database of the message
    database: str
    # Payload of the message in uppercase hex
    data: str
    # Signals of the message as encoded
    signals: List[DecodedSignal]


class _J1939SendRequestRequired(TypedDict):
    # CAN channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str


class J1939SendRequest(_J1939SendRequestRequired, total=False):
    # Parameter group number, required unless a message is named: decimal, or hex with 0x
    pgn: Union[int, str]
    # Source address, required unless a message is named; default: its own: decimal, or hex with 0x
    source: Union[int, str]
    # Destination address; default: 255, which is all nodes, or that of the message: decimal, or hex with 0x
    destination: Union[int, str]
    # Priority of a single frame, 0 is the highest; transfers use 7. Default: 6, or that of the message
    priority: int
    # Payload in hex, required unless a message is named; spaces and separators between bytes are allowed
    data: str
    # Message of an attached database, instead of a frame: identifier, format and length come from there
    message: str
    # Values by signal name: a decimal number is a physical value, other text a label. JSON numbers are refused, because they are not exact
    signals: Dict[str, str]
    # Whether numbers in signals are raw values, which only their bits limit; default: false
    raw: bool
    # Database of the message; default: the only attached one that has it
    database: str


class Job(TypedDict):
    job_id: str
    kind: str
    # Resource that the job works on
    target: str
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    # Unix time in microseconds
    created_at_us: int
    started_at_us: Optional[int]
    finished_at_us: Optional[int]
    # null if the job reports none
    progress: Optional[JobProgress]
    # Result of the job, by its kind; null until it has succeeded. Lists have null for reports of checks
    result: Optional[Union[FirmwareReport, TraceDecoding, FlashReport, CheckReport]]
    error: Optional[Error]


class JobProgress(TypedDict):
    percent: float
    # Bytes that are done
    bytes: int
    # Bytes of all
    total_bytes: int
    # Step under way, from 1
    step: int
    # Steps of all
    steps: int
    # Name of the step
    name: str


class JobList(TypedDict):
    jobs: List[Job]


class Lateness(TypedDict):
    """Lateness of scheduled tasks, in whole microseconds"""

    # Number of measurements
    count: int
    # Median
    p50: int
    # 99th percentile
    p99: int
    # 99.9th percentile
    p999: int
    # Maximum
    max: int


class LinResponse(TypedDict):
    id: int
    dlc: int
    # Uppercase hex
    data: str
    # As received
    checksum: int
    checksum_model: Literal["classic", "enhanced"]
    # Unix time in microseconds
    timestamp_us: int


class LinSchedule(TypedDict):
    schedule_id: str
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Stable selector of the channel
    selector: str
    slot: int
    # Database of the tables
    database: str
    # Table that was started or switched to last
    table: str
    # Table that begins with the next slot, after a switch
    next_table: Optional[str]
    # Table that resolves a collision now; the name of the event-triggered frame if the database names no table
    collision_table: Optional[str]
    # Times that a table ran to its end
    cycles: int
    # Headers accepted by the channel, with the data of the master where it publishes
    sent: int
    # Headers rejected by the channel
    failed: int
    # Slots missed by the daemon
    missed: int
    # Slots without a header: no signal of a sporadic frame or request was set
    empty: int
    # Headers of frames of slaves that no node responded to
    unanswered: int
    # Responses of slaves with a checksum error, or of several nodes together
    invalid: int
    # Collisions of event-triggered frames
    collisions: int
    # Time from the start of the slot to handing over its frame
    lateness_us: Optional[LinScheduleLatenessUs]
    # Reason why a frame could not be sent, last time
    last_error: Optional[LinScheduleLastError]
    # Frames that the master publishes
    frames: List[LinScheduledFrame]
    # Signals in these frames; null where the response has no room for them
    signals: Optional[List[DecodedSignal]]
    # Unix time in microseconds
    created_at_us: int


class LinScheduleLatenessUs(TypedDict):
    # Number of measurements
    count: int
    # Median
    p50: int
    # 99th percentile
    p99: int
    # Maximum
    max: int


class LinScheduleLastError(TypedDict):
    code: ErrorCode
    message: str


class LinScheduleChange(TypedDict, total=False):
    # Table to switch to
    table: str
    # Values by signal name: a decimal number is a physical value, other text a label. JSON numbers are refused, because they are not exact
    signals: Dict[str, str]
    # Whether numbers in signals are raw values, which only their bits limit; default: false
    raw: bool


class _LinScheduleRequestRequired(TypedDict):
    # LIN master: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str
    # Schedule table of an attached database
    table: str


class LinScheduleRequest(_LinScheduleRequestRequired, total=False):
    # Loaded LDF with the names; default: the first attached one that has them
    database: str


class LinScheduledFrame(TypedDict):
    message: str
    id: int
    # Payload of the next frame in uppercase hex
    data: str
    # Whether a signal was set since the frame was sent; sporadic frames wait for it
    changed: bool


class _LinSimulationRequestRequired(TypedDict):
    # Slaves of an attached LDF
    nodes: List[str]


class LinSimulationRequest(_LinSimulationRequestRequired, total=False):
    # Loaded LDF with the names; default: the first attached one that has them
    database: str


class Logging(TypedDict):
    # failed: the last logging stopped because of error
    state: Literal["idle", "running", "failed"]
    # File as given; null before the first logging session
    file: Optional[str]
    format: Optional[Literal["asc", "blf", "candump", "mf4"]]
    # Channels in the file, including closed ones
    channels: List[LoggingChannels]
    # Events in the file
    frames: int
    # File size
    bytes: int
    # Number of gaps in the file
    gaps: int
    # Events lost in those gaps
    missed: int
    # Unix time in microseconds
    started_at_us: Optional[int]
    # null while running
    stopped_at_us: Optional[int]
    # Reason for the failure
    error: Optional[Error]


class LoggingChannels(TypedDict):
    # Channel number in the file
    channel: int
    slot: int
    selector: str
    name: Optional[str]


class _LoggingStartRequestRequired(TypedDict):
    # File to write
    file: str


class LoggingStartRequest(_LoggingStartRequestRequired, total=False):
    # Channels to log, by any selector; default: all
    channels: List[str]
    # File format; a given one allows any file name
    format: Literal["asc", "blf", "candump", "mf4"]
    # Replace the file if it exists
    overwrite: bool


class _MessageEventRequired(TypedDict):
    # Increases over all channels
    event_id: int
    # Event number of the channel, from 1
    source_sequence: int
    # Changes at every start of the Web service; 0 while it is stopped
    stream_epoch: int
    kind: Literal["rx_frame", "tx_complete"]
    # Frame type, not port type
    bus: Literal["can", "canfd", "lin"]
    # Slot of the channel
    channel: int
    selector: str
    id: int
    extended: bool
    remote: bool
    fd: bool
    brs: bool
    esi: bool
    # Bus error instead of a frame
    error: bool
    dlc: int
    # Uppercase hex without separators
    data: str
    # FRM2 flag word
    flags: int
    # 0 is good; capabilities lists the others
    status: int
    # Unix time in microseconds
    timestamp_us: int
    # 16-bit counter of the device
    hardware_sequence: int
    # Acceptance filter that matched
    filter_hit: int
    # LIN checksum byte
    checksum: int


class MessageEvent(_MessageEventRequired, total=False):
    # Number of error frames that the event represents, may be 0; only if status is not 0
    count: int
    # With decode, on channels with attached databases: message of the frame; null if no database has one
    message: Optional[str]
    # With decode, on channels with attached databases: signals in the frame. Their text takes at most 128 KiB
    signals: List[DecodedSignal]


class MessageHistory(TypedDict):
    events: List[MessageEvent]
    next_after: int
    oldest_available: int
    newest_available: int
    # Whether more events follow next_after, matching or not
    has_more: bool
    stream_epoch: int
    # Channels that retain events older than oldest_available; query each of them alone. Empty if there are none
    older: List[MessageHistoryOlder]


class MessageHistoryOlder(TypedDict):
    # Slot
    channel: int
    selector: str
    oldest_available: int


class _MessageSendRequestRequired(TypedDict):
    # Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str


class MessageSendRequest(_MessageSendRequestRequired, total=False):
    # Message of an attached database, instead of a frame: identifier, format and length come from there
    message: str
    # Values by signal name: a decimal number is a physical value, other text a label. JSON numbers are refused, because they are not exact
    signals: Dict[str, str]
    # Whether numbers in signals are raw values, which only their bits limit; default: false
    raw: bool
    # Database of the message; default: the only attached one that has it
    database: str
    # Frame type; default: data on CAN, master-write on LIN
    type: Literal["data", "remote", "master-write", "master-read", "sync-break"]
    # Identifier; required except for sync-break. A string is hex as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits or above 7FF: 29-bit)
    id: Union[int, str]
    # Whether the identifier is 29-bit; default: from the number of digits of a string, false for a number
    extended: bool
    # CAN FD frame
    fd: bool
    # CAN FD: send the data at the data bit rate (BRS)
    brs: bool
    # CAN FD: error state indicator (ESI)
    esi: bool
    # Data length code; default: from the data
    dlc: int
    # Payload in hex; spaces and separators between bytes are allowed
    data: str
    # LIN checksum model; default: that of the channel
    checksum: Literal["classic", "enhanced"]
    # Number of times to send the frame
    count: int
    # Cycle time in microseconds; 0 sends as fast as the port allows
    cycle_us: int
    # How long a frame may wait for space in the queue, or a LIN read for its response
    timeout_ms: int


class _ModbusReadRequestRequired(TypedDict):
    # Unit ID: 0 to 255 over TCP, 1 to 247 on serial lines and RTU over TCP
    unit: int


class ModbusReadRequest(_ModbusReadRequestRequired, total=False):
    # Modbus network of the bench
    network: str
    # Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
    endpoint: str
    # Response time-out
    timeout_ms: int
    # Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for ASCII
    gap_ms: int
    # Serial lines: how long to skip a unit that answers neither a request nor a probe; default: one time-out
    late_ms: int
    # Serial lines: whether a unit that answered late may be probed with function 08 or a second read; default: true
    probe: bool
    # Table; a reference implies it
    table: Literal["coil", "discrete", "input", "holding"]
    # Address of the first item, zero-based
    address: int
    # Reference as in device manuals, one-based, instead of table and address
    reference: str
    # Data type; default: u16 for registers, bool for bits
    type: Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]
    # Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap the two bytes of u16 and s16; it does not apply to bool
    order: Literal["ABCD", "CDAB", "BADC", "DCBA"]
    # Number of values; each uses as many registers as its type needs
    count: int
    # Show values as numbers or as raw bits
    show: Literal["decimal", "hex"]
    # Retries after a time-out or connection error; a write may be executed more than once
    retries: int
    # Include the raw bytes of requests and responses
    trace: bool


class _ModbusReadingRequired(TypedDict):
    # Network, if one was given
    network: Optional[str]
    # Endpoint as given, or that of the network
    endpoint: str
    unit: int
    table: Literal["coil", "discrete", "input", "holding"]
    # Zero-based address of the first item
    address: int
    # One-based reference of the first item
    reference: str
    type: Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]
    order: Literal["ABCD", "CDAB", "BADC", "DCBA"]
    values: List[str]
    # Raw registers or bits of the values; bits as 0 and 1
    registers: List[int]
    # Number of attempts
    attempts: int


class ModbusReading(_ModbusReadingRequired, total=False):
    # Raw bytes of the request and response, if requested; at most 256 pieces
    trace: List[ModbusWireRecord]


class ModbusRegisters(TypedDict):
    # Network, if one was given
    network: Optional[str]
    # Endpoint as given, or that of the network
    endpoint: str
    unit: int
    table: Literal["coil", "discrete", "input", "holding"]
    # Zero-based address of the first item
    address: int
    # One-based reference of the first item
    reference: str
    type: Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]
    order: Literal["ABCD", "CDAB", "BADC", "DCBA"]
    # Exact value as a string; null if the unit does not have all of its items
    values: List[Optional[str]]
    # Raw registers, or bits as 0 and 1; null if the unit does not have them
    registers: List[Optional[int]]
    # Address ranges of the unit in all tables; only the first ones if there are many
    ranges: List[ModbusRegistersRanges]
    # Number of address ranges
    range_total: int


class ModbusRegistersRanges(TypedDict):
    table: Literal["coil", "discrete", "input", "holding"]
    address: int
    count: int


class ModbusScan(TypedDict):
    # Network, if one was given
    network: Optional[str]
    # Endpoint as given, or that of the network
    endpoint: str
    # All units that did not time out
    units: List[ModbusScannedUnit]
    # Units that timed out
    silent: List[int]


class ModbusScanRequest(TypedDict, total=False):
    # Modbus network of the bench
    network: str
    # Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
    endpoint: str
    # Units to scan
    units: str
    # Table; a reference implies it
    table: Literal["coil", "discrete", "input", "holding"]
    # Address of the first item, zero-based
    address: int
    # Reference as in device manuals, one-based, instead of table and address
    reference: str
    # Response and connection time-out per unit
    timeout_ms: int
    # Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for ASCII
    gap_ms: int
    # Serial lines: how long to skip a unit that answers neither a request nor a probe; default: one time-out
    late_ms: int
    # Serial lines: whether a unit that answered late may be probed with function 08 or a second read; default: true
    probe: bool
    # Include the raw bytes of requests and responses
    trace: bool


class _ModbusScannedUnitRequired(TypedDict):
    unit: int
    # exception: the unit exists and rejected the request, unless a gateway returned the code; failed: invalid response or broken connection
    state: Literal["answering", "exception", "silent", "failed"]
    # Exception returned by the unit
    exception: Optional[ModbusScannedUnitException]
    # Time from request to response
    round_trip_us: Optional[int]
    error: Optional[ModbusScannedUnitError]


class ModbusScannedUnit(_ModbusScannedUnitRequired, total=False):
    # Raw bytes of the request and response, if requested; at most 256 pieces
    trace: List[ModbusWireRecord]


class ModbusScannedUnitException(TypedDict):
    code: int
    name: str


class ModbusScannedUnitError(TypedDict):
    code: ErrorCode
    message: str


class ModbusServeRequest(TypedDict, total=False):
    # Modbus network of the bench
    network: str
    # Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
    endpoint: str
    # Unit ID: 0 to 255 over TCP, 1 to 247 on serial lines and RTU over TCP
    unit: int
    # Map file in the project directory that defines the units, instead of a single unit
    map: str
    # Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for ASCII
    gap_ms: int


class ModbusServer(TypedDict):
    # Network, if one was given
    network: Optional[str]
    # Endpoint as given, or that of the network
    endpoint: str
    # Address of the server
    address: Optional[str]
    # Unit ID; null if it has several
    unit: Optional[int]
    # All units of the server
    units: List[int]
    # Map file that defines the units
    map: Optional[str]
    # Gateway instance that owns the server; null if it was started by modbus serve
    instance: Optional[str]
    state: Literal["starting", "listening", "lost", "stopped"]
    # Open connections; none on a serial line
    clients: int
    started_at_us: int
    # Total connections
    clients_accepted: int
    # Connections rejected because of the client limit
    clients_refused: int
    # Connections closed after the idle time-out
    clients_timed_out: int
    # Requests
    requests: int
    # Requests by function code
    requests_by_function: Dict[str, int]
    # Exceptions returned, by code
    exceptions: Dict[str, int]
    # Rejected writes
    refused_writes: int
    # Broadcast writes on a serial line
    broadcasts: int
    # Requests to other units, not answered
    foreign_unit: int
    # Simulated faults, as defined by the map
    faults: ModbusServerFaults
    # Number of invalid frames
    bad_frames: int
    # Received
    bytes_received: int
    # Sent
    bytes_sent: int


class ModbusServerFaults(TypedDict):
    """Simulated faults, as defined by the map"""

    # Requests left unanswered
    silent: int
    # Delayed responses
    delayed: int
    # Exceptions returned
    exceptions: int


class ModbusSession(TypedDict):
    # Endpoint as first given
    endpoint: str
    # backing_off: the connection failed; requests fail until the next attempt
    state: Literal["closed", "connecting", "open", "backing_off"]
    # Commands and polls that currently use it
    users: int
    # Queued requests
    queue_length: int
    # Started requests
    requests: int
    # Answered
    responses: int
    # Requests answered with an exception
    exceptions: int
    # Requests that timed out
    timeouts: int
    # Requests that failed because of a connection or protocol error, or were cancelled
    failures: int
    # Invalid responses
    protocol_errors: int
    # Reconnects
    reconnects: int
    # Received
    bytes_in: int
    # Sent
    bytes_out: int
    # Time from request to response
    round_trip_us: ModbusSessionRoundTripUs
    last_error: Optional[ModbusSessionLastError]


class ModbusSessionRoundTripUs(TypedDict):
    """Time from request to response"""

    # Number of measurements
    count: int
    # Median
    p50: int
    # 99th percentile
    p99: int
    # Maximum
    max: int


class ModbusSessionLastError(TypedDict):
    code: ErrorCode
    message: str
    timestamp_us: int


class ModbusStatus(TypedDict):
    sessions: List[ModbusSession]
    # Units that were addressed
    units: List[ModbusUnit]
    servers: List[ModbusServer]


class ModbusStopRequest(TypedDict, total=False):
    # Modbus network of the bench
    network: str
    # Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
    endpoint: str


class ModbusUnit(TypedDict):
    # Endpoint of its session
    endpoint: str
    unit: int
    # silent: the last request timed out; late: a response may still arrive; resynchronising: no requests until it cannot; backing_off: polls skip the unit
    state: Literal["healthy", "silent", "late", "resynchronising", "backing_off"]
    # Consecutive requests that timed out
    misses: int
    # Remaining time until the next request
    retry_in_ms: Optional[int]


class ModbusWireRecord(TypedDict):
    # Unix time in microseconds
    timestamp_us: int
    # tx: sent by Busbar
    direction: Literal["tx", "rx"]
    # Bytes in hex
    data: str


class _ModbusWriteRequestRequired(TypedDict):
    # Unit ID: 0 to 255 over TCP, 1 to 247 on serial lines and RTU over TCP
    unit: int


class ModbusWriteRequest(_ModbusWriteRequestRequired, total=False):
    # Modbus network of the bench
    network: str
    # Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields
    endpoint: str
    # Response time-out
    timeout_ms: int
    # Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for ASCII
    gap_ms: int
    # Serial lines: how long to skip a unit that answers neither a request nor a probe; default: one time-out
    late_ms: int
    # Serial lines: whether a unit that answered late may be probed with function 08 or a second read; default: true
    probe: bool
    # Table; a reference implies it
    table: Literal["coil", "discrete", "input", "holding"]
    # Address of the first item, zero-based
    address: int
    # Reference as in device manuals, one-based, instead of table and address
    reference: str
    # Data type; default: u16 for registers, bool for bits
    type: Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]
    # Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap the two bytes of u16 and s16; it does not apply to bool
    order: Literal["ABCD", "CDAB", "BADC", "DCBA"]
    # Values to write, starting at the first item
    value: List[str]
    # Bits of one holding register to change; 0 is the least significant bit
    bit: List[str]
    # Use function 15 or 16 even for a single item
    multiple: bool
    # Show values as numbers or as raw bits
    show: Literal["decimal", "hex"]
    # Retries after a time-out or connection error; a write may be executed more than once
    retries: int
    # Include the raw bytes of requests and responses
    trace: bool


class _ModbusWritingRequired(TypedDict):
    # Network, if one was given
    network: Optional[str]
    # Endpoint as given, or that of the network
    endpoint: str
    unit: int
    table: Literal["coil", "discrete", "input", "holding"]
    # Zero-based address of the first item
    address: int
    # One-based reference of the first item
    reference: str
    type: Literal["bool", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]
    order: Literal["ABCD", "CDAB", "BADC", "DCBA"]
    values: List[str]
    # Written values; bits as 0 and 1
    registers: List[int]
    # Number of attempts
    attempts: int
    # Values that were rounded to the nearest float
    rounded: List[ModbusWritingRounded]


class ModbusWriting(_ModbusWritingRequired, total=False):
    # Raw bytes of the request and response, if requested; at most 256 pieces
    trace: List[ModbusWireRecord]


class ModbusWritingRounded(TypedDict):
    # Index of the value
    index: int
    given: str
    written: str


class Operation(TypedDict):
    id: str
    category: str
    action: str
    summary: str
    description: Optional[str]
    permission: Literal["observe", "operate", "administer"]
    execution: OperationExecution
    cli: Optional[OperationCli]
    http: OperationHttp
    parameters: List[OperationParameter]
    # JSON Schema
    result: Dict[str, Any]
    errors: List[OperationErrors]


class OperationExecution(TypedDict):
    # Process or thread that runs the command; HTTP calls of operations that the CLI runs itself are handled by the client thread
    place: Literal["cli", "client", "bench"]
    # Whether it requires or starts a daemon
    daemon: Literal["none", "optional", "required", "start"]
    streaming: bool


class OperationCli(TypedDict):
    usage: str
    examples: List[str]


class OperationHttp(TypedDict):
    # Whether a typed HTTP handler exists
    available: bool
    method: Optional[str]
    path: Optional[str]
    # Why there is no HTTP handler
    reason: Optional[str]


class OperationErrors(TypedDict):
    code: ErrorCode
    status: int
    exit: int
    message: str
    retryable: bool
    # Interfaces that can return this error: command line, HTTP
    faces: List[Literal["cli", "http"]]


class OperationList(TypedDict):
    operations: List[Operation]


class OperationParameter(TypedDict):
    name: str
    type: str
    required: bool
    description: str
    # JSON Schema with ranges, default and examples
    schema: Dict[str, Any]
    # How the CLI accepts it
    cli: Optional[str]
    # Where the HTTP API accepts it
    http: Optional[Literal["path", "query", "body"]]


class Pdu(TypedDict):
    # One counter over all channels
    sequence: int
    protocol: Literal["j1939", "isotp", "lin"]
    # Slot of the channel; in a trace, its number
    channel: int
    # Selector of the channel; in a trace, its name there
    selector: str
    # Name of the channel; null if it has none, and in traces
    channel_name: Optional[str]
    # Event of the first frame; in a trace, the number of the event from 1
    first_event_id: int
    # Event of the last frame
    last_event_id: int
    # Time of the last frame as Unix time in microseconds; since the start in traces without a date
    timestamp_us: int
    # Time from the first frame to the last
    duration_us: int
    # Frames of the transfer, including flow control
    frames: int
    # Announced length in bytes; 0 if unknown
    length: int
    # Payload as uppercase hex, at most 65536 bytes; empty unless complete
    data: str
    # Payload bytes after those in data
    data_omitted: int
    status: PduStatus
    # What was odd about the transfer, at most 32 findings
    findings: List[PduFindings]
    # J1939: parameter group number; null for packets without announcement
    pgn: Optional[int]
    # J1939: source address
    source: Optional[int]
    # J1939: destination address; 255 is all nodes
    destination: Optional[int]
    # J1939: priority of the announcement; 0 is the highest
    priority: Optional[int]
    # J1939: whether the receiver acknowledged it; null for broadcasts. A stream reports a PDU before its acknowledgement
    acknowledged: Optional[bool]
    # J1939: lamps and diagnostic codes of DM1 and DM2
    diagnostics: Optional[J1939Diagnostics]
    # ISO-TP and LIN: identifier of the frames with the payload
    id: Optional[int]
    # ISO-TP and LIN: whether the identifier has 29 bits
    extended: Optional[bool]
    # ISO-TP: address byte before the protocol bytes, if the addressing has one; LIN: node address (NAD)
    address: Optional[int]
    # ISO-TP and LIN: a complete payload as UDS, in words
    words: Optional[str]


class PduFindings(TypedDict):
    code: PduFindingCode
    # Event in which it was found
    event_id: int


PduFindingCode = Literal["abort_busy", "abort_resources", "abort_timeout", "abort_cts_during_data", "abort_retransmit_limit", "abort_unexpected_data", "abort_bad_sequence", "abort_duplicate_sequence", "abort_too_long", "abort_dpo_pgn", "abort_dpo_packets", "abort_dpo_offset", "abort_cts_pgn", "abort_cts_packets", "abort_other", "acknowledged_incomplete", "bad_announcement", "bad_destination", "bad_length", "bad_offset", "bad_sequence", "data_without_offset", "different_repeat", "events_missing", "first_frame_short", "flow_invalid", "flow_late", "flow_missing", "flow_overflow", "flow_unexpected", "memory_limit", "pgn_differs", "repeat", "restarted", "sequence_gap", "size_differs", "st_min_reserved", "st_min_violated"]


class PduHistory(TypedDict):
    pdus: List[Pdu]
    # Sequence of the last PDU checked
    next_after: int
    oldest_available: int
    newest_available: int


PduStatus = Literal["complete", "lost", "conflict", "timeout", "aborted", "replaced", "orphan", "open", "too_long"]


class RecordedFile(TypedDict):
    # Path in the project
    file: str
    # Smallest event id in the file; null if it has no events, or is not known
    first_event_id: Optional[int]
    # Largest event id in the file; null also if it is not known, after a crash or on a full disk
    last_event_id: Optional[int]
    # Events in the file
    frames: int
    # File size
    bytes: int


class Recorder(TypedDict):
    name: str
    # bench: from the bench file, and started with the daemon
    source: Literal["bench", "request"]
    # armed: waiting for the start condition; waiting: the disk accepts nothing, as error says; failed: stopped because of error
    state: Literal["idle", "armed", "running", "waiting", "failed"]
    # Pattern of the files, as given
    file: str
    # Selectors; null: all channels
    channels: Optional[List[str]]
    format: Literal["asc", "blf", "candump", "mf4"]
    # null: one file
    split: Optional[RecorderSplit]
    # null: all files
    keep: Optional[RecorderKeep]
    compress: bool
    embed_databases: bool
    # null: records from start to stop
    trigger: Optional[RecorderTrigger]
    sync_seconds: int
    # Events recorded since the start
    frames: int
    # Bytes written since the start
    bytes: int
    # Number of gaps since the start
    gaps: int
    # Events lost in those gaps
    missed: int
    # Unix time of the last start
    started_at_us: Optional[int]
    # null while it is started
    stopped_at_us: Optional[int]
    # Why the recorder waits or has failed, or why the list of its files is not saved
    error: Optional[Error]
    # Channels in the files, including closed ones
    recorded: List[RecorderRecorded]
    # The latest 100 files, the newest last
    files: List[RecordedFile]


class RecorderSplit(TypedDict, total=False):
    """When the next file begins. The file needs {n} in its name; {} = one file"""

    # Size after which the next file begins
    max_bytes: int
    # Duration after which the next file begins
    max_seconds: int


class RecorderKeep(TypedDict, total=False):
    """How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files"""

    # Number of files to keep
    max_files: int
    # Size of all files to keep
    max_bytes: int


class RecorderTrigger(TypedDict, total=False):
    """Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file"""

    # Condition that starts the recording. Met again during post_ms, it prolongs the recording
    start: str
    # Condition that stops the recording. Without start, the recorder records until then and ends
    stop: str
    # Time before the start that is recorded too, as far as it is retained; default: 0
    pre_ms: int
    # Time that is recorded after the stop, or after a start without a stop; with 0 and no stop, the recording ends when the recorder is stopped; default: 0
    post_ms: int
    # Whether the recorder stops after the first recording; default: false
    once: bool


class RecorderRecorded(TypedDict):
    # Channel number in the file
    channel: int
    slot: int
    selector: str
    name: Optional[str]


class RecorderChange(TypedDict, total=False):
    # Pattern of the files, inside the project directory: {name}, {bench}, {date} and {time} in UTC, {n} = number of the file
    file: str
    # Channels to record, by any selector; [] = all, including new ones
    channels: List[str]
    # File format; default: from the extension
    format: Literal["asc", "blf", "candump", "mf4"]
    # When the next file begins. The file needs {n} in its name; {} = one file
    split: RecorderChangeSplit
    # How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files
    keep: RecorderChangeKeep
    # Compress each file when it is complete: ASC and candump logs with gzip, MF4 inside; default: false
    compress: bool
    # MF4: attach the databases of the channels to each file; default: false
    embed_databases: bool
    # Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file
    trigger: RecorderChangeTrigger
    # Maximum age of events that a power failure can cost; default: 1
    sync_seconds: int


class RecorderChangeSplit(TypedDict, total=False):
    """When the next file begins. The file needs {n} in its name; {} = one file"""

    # Size after which the next file begins
    max_bytes: int
    # Duration after which the next file begins
    max_seconds: int


class RecorderChangeKeep(TypedDict, total=False):
    """How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files"""

    # Number of files to keep
    max_files: int
    # Size of all files to keep
    max_bytes: int


class RecorderChangeTrigger(TypedDict, total=False):
    """Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file"""

    # Condition that starts the recording. Met again during post_ms, it prolongs the recording
    start: str
    # Condition that stops the recording. Without start, the recorder records until then and ends
    stop: str
    # Time before the start that is recorded too, as far as it is retained; default: 0
    pre_ms: int
    # Time that is recorded after the stop, or after a start without a stop; with 0 and no stop, the recording ends when the recorder is stopped; default: 0
    post_ms: int
    # Whether the recorder stops after the first recording; default: false
    once: bool


class _RecorderEntryRequired(TypedDict):
    # Pattern of the files, inside the project directory: {name}, {bench}, {date} and {time} in UTC, {n} = number of the file
    file: str


class RecorderEntry(_RecorderEntryRequired, total=False):
    """Recorder that is started with the daemon"""

    # Channels to record, by any selector; default: all, including new ones
    channels: List[str]
    # File format; default: from the extension
    format: Literal["asc", "blf", "candump", "mf4"]
    # When the next file begins. The file needs {n} in its name; {} = one file
    split: RecorderEntrySplit
    # How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files
    keep: RecorderEntryKeep
    # Compress each file when it is complete: ASC and candump logs with gzip, MF4 inside; default: false
    compress: bool
    # MF4: attach the databases of the channels to each file; default: false
    embed_databases: bool
    # Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file
    trigger: RecorderEntryTrigger
    # Maximum age of events that a power failure can cost; default: 1
    sync_seconds: int


class RecorderEntrySplit(TypedDict, total=False):
    """When the next file begins. The file needs {n} in its name; {} = one file"""

    # Size after which the next file begins
    max_bytes: int
    # Duration after which the next file begins
    max_seconds: int


class RecorderEntryKeep(TypedDict, total=False):
    """How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files"""

    # Number of files to keep
    max_files: int
    # Size of all files to keep
    max_bytes: int


class RecorderEntryTrigger(TypedDict, total=False):
    """Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file"""

    # Condition that starts the recording. Met again during post_ms, it prolongs the recording
    start: str
    # Condition that stops the recording. Without start, the recorder records until then and ends
    stop: str
    # Time before the start that is recorded too, as far as it is retained; default: 0
    pre_ms: int
    # Time that is recorded after the stop, or after a start without a stop; with 0 and no stop, the recording ends when the recorder is stopped; default: 0
    post_ms: int
    # Whether the recorder stops after the first recording; default: false
    once: bool


class RecorderHealth(TypedDict):
    # Name of the recorder; logging is the one without a name
    name: str
    # armed: waiting for the start condition; waiting: the disk accepts nothing, as error says; failed: stopped because of error
    state: Literal["idle", "armed", "running", "waiting", "failed"]
    # Events recorded since the start
    frames: int
    # Bytes written since the start
    bytes: int
    # Number of gaps since the start
    gaps: int
    # Events lost in those gaps
    missed: int
    # Why it waits or has failed
    error: Optional[ErrorCode]
    # Setting that error is about
    field: Optional[str]
    # Text of error
    message: Optional[str]


class _RecorderRequestRequired(TypedDict):
    # Name of the recorder
    name: str
    # Pattern of the files, inside the project directory: {name}, {bench}, {date} and {time} in UTC, {n} = number of the file
    file: str


class RecorderRequest(_RecorderRequestRequired, total=False):
    # Channels to record, by any selector; default: all, including new ones
    channels: List[str]
    # File format; default: from the extension
    format: Literal["asc", "blf", "candump", "mf4"]
    # When the next file begins. The file needs {n} in its name; {} = one file
    split: RecorderRequestSplit
    # How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files
    keep: RecorderRequestKeep
    # Compress each file when it is complete: ASC and candump logs with gzip, MF4 inside; default: false
    compress: bool
    # MF4: attach the databases of the channels to each file; default: false
    embed_databases: bool
    # Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file
    trigger: RecorderRequestTrigger
    # Maximum age of events that a power failure can cost; default: 1
    sync_seconds: int


class RecorderRequestSplit(TypedDict, total=False):
    """When the next file begins. The file needs {n} in its name; {} = one file"""

    # Size after which the next file begins
    max_bytes: int
    # Duration after which the next file begins
    max_seconds: int


class RecorderRequestKeep(TypedDict, total=False):
    """How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files"""

    # Number of files to keep
    max_files: int
    # Size of all files to keep
    max_bytes: int


class RecorderRequestTrigger(TypedDict, total=False):
    """Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file"""

    # Condition that starts the recording. Met again during post_ms, it prolongs the recording
    start: str
    # Condition that stops the recording. Without start, the recorder records until then and ends
    stop: str
    # Time before the start that is recorded too, as far as it is retained; default: 0
    pre_ms: int
    # Time that is recorded after the stop, or after a start without a stop; with 0 and no stop, the recording ends when the recorder is stopped; default: 0
    post_ms: int
    # Whether the recorder stops after the first recording; default: false
    once: bool


class RecorderSummary(TypedDict):
    name: str
    # bench: from the bench file, and started with the daemon
    source: Literal["bench", "request"]
    # armed: waiting for the start condition; waiting: the disk accepts nothing, as error says; failed: stopped because of error
    state: Literal["idle", "armed", "running", "waiting", "failed"]
    # Pattern of the files, as given
    file: str
    # Selectors; null: all channels
    channels: Optional[List[str]]
    format: Literal["asc", "blf", "candump", "mf4"]
    # null: one file
    split: Optional[RecorderSummarySplit]
    # null: all files
    keep: Optional[RecorderSummaryKeep]
    compress: bool
    embed_databases: bool
    # null: records from start to stop
    trigger: Optional[RecorderSummaryTrigger]
    sync_seconds: int
    # Events recorded since the start
    frames: int
    # Bytes written since the start
    bytes: int
    # Number of gaps since the start
    gaps: int
    # Events lost in those gaps
    missed: int
    # Unix time of the last start
    started_at_us: Optional[int]
    # null while it is started
    stopped_at_us: Optional[int]
    # Why the recorder waits or has failed, or why the list of its files is not saved
    error: Optional[Error]
    # Channels in the files, including closed ones
    recorded: List[RecorderSummaryRecorded]


class RecorderSummarySplit(TypedDict, total=False):
    """When the next file begins. The file needs {n} in its name; {} = one file"""

    # Size after which the next file begins
    max_bytes: int
    # Duration after which the next file begins
    max_seconds: int


class RecorderSummaryKeep(TypedDict, total=False):
    """How much is kept, at most 10000 files: older files that this recorder wrote are deleted; {} = all files"""

    # Number of files to keep
    max_files: int
    # Size of all files to keep
    max_bytes: int


class RecorderSummaryTrigger(TypedDict, total=False):
    """Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file"""

    # Condition that starts the recording. Met again during post_ms, it prolongs the recording
    start: str
    # Condition that stops the recording. Without start, the recorder records until then and ends
    stop: str
    # Time before the start that is recorded too, as far as it is retained; default: 0
    pre_ms: int
    # Time that is recorded after the stop, or after a start without a stop; with 0 and no stop, the recording ends when the recorder is stopped; default: 0
    post_ms: int
    # Whether the recorder stops after the first recording; default: false
    once: bool


class RecorderSummaryRecorded(TypedDict):
    # Channel number in the file
    channel: int
    slot: int
    selector: str
    name: Optional[str]


class RemoteForwarding(TypedDict):
    # failed: forwarding ended because of error
    state: Literal["idle", "running", "failed"]
    # Local address and port
    listen: Optional[str]
    peers: List[RemoteForwardingPeers]
    channels: List[RemoteForwardingChannels]
    # null: no limit
    max_age_ms: Optional[int]
    # null while idle
    buffer_us: Optional[int]
    # Frames received from buses and forwarded, each counted once
    frames_to_peers: int
    # Frames received from all peers
    frames_from_peers: int
    # Number of times that events were lost before forwarding
    gaps: int
    # Events lost before forwarding
    missed: int
    # Frames from buses dropped because they were older than max_age_ms
    expired: int
    # Datagrams dropped because they came from other addresses
    strangers: int
    # Datagrams dropped by the system because its receive buffer was full; null while idle or if unknown
    overruns: Optional[int]
    # Datagrams that the system could not send
    send_errors: int
    # Unix time in microseconds
    started_at_us: Optional[int]
    # Reason why forwarding ended on its own
    error: Optional[RemoteForwardingError]


class RemoteForwardingPeers(TypedDict):
    # Address and port
    peer: str
    # Datagrams passed to the system
    datagrams_sent: int
    # Frames in those datagrams
    frames_sent: int
    # Datagrams received from the peer, valid or not
    datagrams_received: int
    # Valid frames in those datagrams
    frames_received: int
    # Datagrams lost, according to the sequence numbers
    lost_datagrams: int
    # Datagrams that arrived after a later one; not counted as lost
    reordered: int
    # Datagrams with a repeated sequence number; accepted
    duplicates: int
    # Restarts of the sequence numbers: the peer was restarted, or at least 128 datagrams were lost
    jumps: int
    # Malformed datagrams
    malformed: RemoteForwardingPeersMalformed
    # Frames that no bus can carry; not sent
    invalid_frames: int
    # Bus error reports; not sent
    error_frames: int
    # Unix time in microseconds
    last_received_at_us: Optional[int]


class RemoteForwardingPeersMalformed(TypedDict):
    """Malformed datagrams"""

    # Unsupported format version; dropped
    version: int
    # No data, such as acknowledgements; dropped
    opcode: int
    # Truncated in the header or a frame; complete frames were accepted
    truncated: int
    # Wrong frame count; the announced frames that were present were accepted
    count: int


class RemoteForwardingChannels(TypedDict):
    selector: str
    slot: int
    # Whether the channel is still forwarded; false after it was closed
    open: bool
    # Frames from peers accepted by the channel
    sent: int
    # Frames from peers rejected by the channel, by reason
    refused: Dict[str, int]
    # Frames from peers dropped because the queue was full or forwarding ended
    dropped: int
    # Frames from peers dropped because they were older than max_age_ms
    expired: int
    # Frames from peers waiting for space in the channel
    queued: int


class RemoteForwardingError(TypedDict):
    reason: RemoteForwardingFailure
    message: str


RemoteForwardingFailure = Literal["socket_failed", "channel_closed"]


class _RemoteStartRequestRequired(TypedDict):
    # Host and port of each peer; host names are resolved once
    peer: List[str]
    # Open CAN channels to forward, by any selector
    channels: List[str]


class RemoteStartRequest(_RemoteStartRequestRequired, total=False):
    # Local host and port to receive on and send from; port 0 selects a free port
    listen: str
    # Drop frames older than this, in both directions; default: no limit
    max_age_ms: int
    # Batch window: how long frames are collected for one datagram; 0 sends each frame immediately. The default is never more than half of max_age_ms
    buffer_us: int


class Replay(TypedDict):
    state: Literal["idle", "running", "finished", "failed"]
    # Whether it was stopped before the end of the file
    stopped: bool
    # Number of rejected frames and the reason; null if there were none
    warning: Optional[str]
    # First file; null before the first replay
    file: Optional[str]
    # Files, merged by time
    files: List[str]
    # null before the first replay, and if the files have several formats
    format: Optional[Literal["asc", "blf", "candump", "mf4"]]
    # Selectors by file channel
    channels: Dict[str, str]
    # Condition of the frames that are sent
    filter: Optional[str]
    # Identifiers that are sent, by identifier in the file
    ids: Dict[str, str]
    speed: Optional[float]
    loop: bool
    repeat: Optional[ReplayRepeat]
    # Completed loops
    loops: int
    # Position in the trace where the first loop starts
    start_offset_us: int
    # Current position in the trace, from the first event
    position_us: int
    # Time from the oldest event to the newest; null until the whole file was read
    duration_us: Optional[int]
    # Progress in the file by bytes, in the current loop
    progress: float
    # Events accepted by a channel
    frames_sent: int
    # Events not sent
    frames_skipped: int
    # Events not sent, by reason: unmapped_channel, filtered, before_offset, error_frame, not_on_bus, no_response, checksum_error, sync_break and wake_up, or the error of the channel: bus_off, listen_only, lost, unpowered and not_master
    skipped: Dict[str, int]
    # Other entries of the file by type, as in trace info: marker, statistics, tx_request, symbolic and so on
    unread: Dict[str, int]
    # Number of invalid parts of the file
    malformed: int
    # Whether the file is truncated
    truncated: bool
    # Events older than the previous one in the file; they are sent right after it and count as late
    out_of_order: int
    # Maximum lateness of a frame
    max_lateness_us: int
    # Deviation from the intended time, early or late
    deviation_us: ReplayDeviationUs
    # Unix time in microseconds
    started_at_us: Optional[int]
    # null while running
    finished_at_us: Optional[int]
    # Reason for the failure
    error: Optional[Error]


class ReplayRepeat(TypedDict):
    # Number of loops
    count: int
    # Time between two loops
    pause_us: int


class ReplayDeviationUs(TypedDict):
    """Deviation from the intended time, early or late"""

    # Number of measurements
    count: int
    # Median
    p50: int
    # 99th percentile
    p99: int
    # Maximum
    max: int


class _ReplayStartRequestRequired(TypedDict):
    # Channel mapping: a selector for each channel number of the file, or interface name in a candump log. C1 is CAN channel 1 only, L1 is LIN channel 1 only, 2:1 is channel 1 of the second file. At least one is required
    channels: Dict[str, str]


class ReplayStartRequest(_ReplayStartRequestRequired, total=False):
    # File to replay
    file: str
    # Files to replay, merged by time, instead of file
    files: List[str]
    # Condition of the events that are sent: those at which it fires, or during which it holds. It sees the events of mapped channels, whose names are those in the file, with the identifiers of the file; signals are those of the databases that are attached to the channel to send on
    filter: str
    # Identifiers to send instead of those in the file, as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits: 29-bit). Data are not changed
    ids: Dict[str, str]
    # Speed factor: 2 is twice as fast as recorded
    speed: float
    # Restart when the file ends
    loop: bool
    # Limited number of loops, instead of loop
    repeat: ReplayStartRequestRepeat
    # Time to skip after the first event of the file
    start_offset_us: int


class _ReplayStartRequestRepeatRequired(TypedDict):
    # How often the files are sent
    count: int


class ReplayStartRequestRepeat(_ReplayStartRequestRepeatRequired, total=False):
    """Limited number of loops, instead of loop"""

    # Time from the last event to the first of the next pass, at any speed
    pause_us: int


class Route(TypedDict):
    route_id: str
    source: RouteSource
    target: RouteTarget
    # Whether the task is offloaded to the device; otherwise the daemon runs it
    offloaded: bool
    # Received frames to forward
    matched: int
    # Frames sent by the target; if offloaded, accepted by it
    sent: int
    # Frames rejected by the target, or abandoned later
    failed: int
    # Reason why a frame could not be sent, last time
    last_error: Optional[RouteLastError]
    # Unix time in microseconds
    created_at_us: int


class RouteSource(TypedDict):
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Stable selector of the channel
    selector: str
    slot: int
    id: int
    mask: int
    extended: bool


class RouteTarget(TypedDict):
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Stable selector of the channel
    selector: str
    slot: int
    # null if frames keep their identifier
    id: Optional[int]
    # Whether the identifiers are 29-bit
    extended: bool


class RouteLastError(TypedDict):
    code: ErrorCode
    message: str


class _RouteRequestRequired(TypedDict):
    # Frames to forward
    source: RouteRequestSource
    # Destination
    target: RouteRequestTarget


class RouteRequest(_RouteRequestRequired, total=False):
    # Whether to offload to the device or kernel: true requires it, false leaves it to the daemon; default: offload if no reported information is lost
    offload: bool


class _RouteRequestSourceRequired(TypedDict):
    # Channel to receive on: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str
    # Identifier to forward. A string is hex as printed: 123 (up to 3 digits: 11-bit), 18FF50E5 (8 digits or above 7FF: 29-bit)
    id: Union[int, str]


class RouteRequestSource(_RouteRequestSourceRequired, total=False):
    """Frames to forward"""

    # Identifier mask in hex: bits that must match; default: all
    mask: Union[int, str]
    # Whether the identifiers are 29-bit; default: from the number of digits of a string, false for a number
    extended: bool


class _RouteRequestTargetRequired(TypedDict):
    # Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str


class RouteRequestTarget(_RouteRequestTargetRequired, total=False):
    """Destination"""

    # Identifier to send with, of the same length as the received one; default: unchanged
    id: Union[int, str]


class _SendResultRequired(TypedDict):
    # Frames accepted by the transmit queue of the channel
    accepted: int
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    slot: int
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Response to a master-read
    response: Optional[LinResponse]


class SendResult(_SendResultRequired, total=False):
    # Message, if sent by name
    message: str
    # Database of the message
    database: str
    # Identifier of the message
    id: int
    extended: bool
    # Payload in uppercase hex
    data: str
    # Frame of the message in frame notation, such as 123##1AABB
    frame: str
    # Signals of the message as encoded
    signals: List[DecodedSignal]


class SignalHistory(TypedDict):
    samples: List[SignalSample]
    next_after: int
    oldest_available: int
    newest_available: int


class SignalPlan(TypedDict):
    plan_id: str
    # Channel selector as given
    channel: str
    # Stable selector of the channel
    selector: str
    slot: int
    # Null if it decodes with several databases
    database: Optional[str]
    databases: List[str]
    # Name of the message; null if the plan has several
    message: Optional[str]
    # Names of all messages of the plan
    messages: List[str]
    # Null with several messages
    id: Optional[int]
    # Null with several messages
    extended: Optional[bool]
    # J1939 parameter group that is decoded; null: frames are matched by identifier
    pgn: Optional[int]
    # J1939 source address that is decoded; null: all
    source_address: Optional[int]
    signals: List[str]
    # Signals that cannot be decoded, with the reason; only the first ones
    omitted: List[SignalPlanOmitted]
    # Number of signals that cannot be decoded
    omitted_total: int
    # Samples retained per signal
    history: int
    # Decoded frames
    frames: int
    # Whether the channel is still open
    channel_open: bool


class SignalPlanOmitted(TypedDict):
    signal: str
    reason: str


class _SignalPlanRequestRequired(TypedDict):
    # Channel to decode: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str


class SignalPlanRequest(_SignalPlanRequestRequired, total=False):
    # Name of a loaded database; default: those attached to the channel now
    database: str
    # Message, by name or by identifier: a number, or a string in printed hex; default: every message
    message: Union[str, int]
    # Signals to decode, without message as Message.Signal, where * stands for any part of a name; default: all
    signals: List[str]
    # J1939 source address to decode; default: all
    source_address: int
    # Samples to retain per signal
    history: int


class SignalSample(TypedDict):
    # One counter over all plans
    sequence: int
    plan_id: str
    signal: str
    # Exact physical value; null if there is none
    value: Optional[str]
    # Exact raw value
    raw: str
    # Value description from the database
    label: Optional[str]
    unit: str
    # Whether the value is within the limits of the signal
    valid: bool
    # Unix time in microseconds
    timestamp_us: int
    # Event that it was decoded from
    event_id: int
    # Raw value of the multiplexer that selects the signal, nested ones joined by dots; null if it is always present
    mux: Optional[str]
    # J1939 source address of the frame; null for other messages
    source_address: Optional[int]


class SimulatedEcu(TypedDict):
    ecu_id: str
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Stable selector of the channel
    selector: str
    slot: int
    # ECU of the bench file whose identifiers it has; null if they were given
    ecu: Optional[str]
    # File that describes it, or built-in
    file: str
    settings: SimulatedEcuSettings
    # Diagnostic session; 1 is the default session
    session: int
    # Unlocked security level; 0 is locked
    security_level: int
    counters: SimulatedEcuCounters
    # Faults of the file
    faults: List[SimulatedEcuFaults]
    # Unix time in microseconds
    created_at_us: int


class SimulatedEcuSettings(TypedDict):
    # Frames on LIN are those of extended addressing
    addressing: Literal["normal", "normal_fixed", "extended", "mixed"]
    nad: Optional[int]
    # Identifier of requests
    request_id: int
    # Identifier of responses
    response_id: int
    functional_id: Optional[int]
    # Whether identifiers have 29 bits
    extended: bool
    source: Optional[int]
    target: Optional[int]
    functional_target: Optional[int]
    address_extension: Optional[int]
    fd: bool
    brs: bool
    # Longest frame sent, in bytes
    tx_dl: int
    # Byte that fills frames, in hex, or none
    padding: str
    # Frames that the ECU may send before the next flow control; 0 = all
    block_size: int
    # STmin of our flow control
    st_min_us: int
    # Longest response in bytes
    max_length: int
    # P2 of the default session
    p2_ms: int
    # P2* of the default session
    p2_star_ms: int
    # Time to send a frame
    n_as_ms: int
    # Time until a flow control
    n_bs_ms: int
    # Time until the next consecutive frame
    n_cr_ms: int
    # Wait frames accepted in a row; 0 = any number
    wait_max: int


class SimulatedEcuCounters(TypedDict):
    # Requests received
    requests: int
    # Responses sent, with 0x78
    responses: int
    # Negative responses among them, with 0x78
    negative: int
    # Responses that were not sent to the end
    abandoned: int


class SimulatedEcuFaults(TypedDict):
    kind: Literal["drop", "delay", "sequence", "nrc", "silent", "silent_after_pending"]
    # Frame of the response, from 1
    frame: int
    # Responses that it still affects; null for all
    left: Optional[int]


class _SimulatedEcuRequestRequired(TypedDict):
    # Channel of the ECU: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str
    # File of the project that describes the ECU (schemas/ecu.schema.json)
    file: str


class SimulatedEcuRequest(_SimulatedEcuRequestRequired, total=False):
    # ECU of the bench file whose identifiers and settings it has
    ecu: str
    # Node address of an ECU on LIN. Requests use the MasterReq and SlaveResp slots of the running schedule
    nad: int
    # Identifier of requests; a string is hex as printed
    request_id: Union[int, str]
    # Identifier of responses; a string is hex as printed
    response_id: Union[int, str]
    # Identifier of functional requests; a string is hex as printed
    functional_id: Union[int, str]
    # Whether identifiers have 29 bits; default: whether one of them needs them
    extended: bool
    # Addressing of ISO 15765-2; normal_fixed, and mixed with 29 bits, derive the identifiers from source and target; default: normal
    addressing: Literal["normal", "normal_fixed", "extended", "mixed"]
    # Address of the tester; a string is hex
    source: Union[int, str]
    # Address of the ECU; a string is hex
    target: Union[int, str]
    # Address of functional requests in extended addressing; default: target; a string is hex
    functional_target: Union[int, str]
    # Address extension of mixed addressing; a string is hex
    address_extension: Union[int, str]
    # CAN FD frames; default: false
    fd: bool
    # Data at the data bit rate; default: whether fd is true
    brs: bool
    # Longest frame sent, in bytes; default: 8, or 64 with fd
    tx_dl: Literal[8, 12, 16, 20, 24, 32, 48, 64]
    # Byte that fills frames, in hex, or none; default: CC
    padding: str
    # Frames that the ECU may send before the next flow control; default: 0, all
    block_size: int
    # STmin of our flow control in microseconds: 100 to 900, or whole milliseconds up to 127000; default: 0
    st_min_us: int
    # Longest response in bytes; default: 4095
    max_length: int
    # P2: time until a response begins; default: 50
    p2_ms: int
    # P2*: the same after a pending response; default: 5000
    p2_star_ms: int
    # N_As: time to send a frame; default: 1000
    n_as_ms: int
    # N_Bs: time until a flow control; default: 1000
    n_bs_ms: int
    # N_Cr: time until the next consecutive frame; default: 1000
    n_cr_ms: int
    # Wait frames accepted in a row; default: 0, any number
    wait_max: int


class TesterPresentRequest(TypedDict, total=False):
    # Whether to send it
    enabled: bool
    # Period in milliseconds
    period_ms: int


class ThreadHealth(TypedDict):
    name: Literal["client", "loader"]
    state: Literal["starting", "running", "restarting", "stopped"]
    # Number of restarts after a crash
    restarts: int
    # Reason for the last crash
    last_failure: Optional[str]


_TraceDecodeRequestRequired = TypedDict(
    "_TraceDecodeRequestRequired",
    {"file": "str", "output": "str", "databases": "List[TraceDecodeRequestDatabases]"},
)


_TraceDecodeRequestOptional = TypedDict(
    "_TraceDecodeRequestOptional",
    {"signals": "List[str]", "filter": "str", "from": "str", "to": "str", "wide": "bool", "every_ms": "int", "overwrite": "bool"},
    total=False,
)


class TraceDecodeRequest(_TraceDecodeRequestRequired, _TraceDecodeRequestOptional):
    pass


class _TraceDecodeRequestDatabasesRequired(TypedDict):
    # Database file
    file: str


class TraceDecodeRequestDatabases(_TraceDecodeRequestDatabasesRequired, total=False):
    # Channel by its number, as C1 or L1, or by its name in the trace
    channel: str


class TraceDecoding(TypedDict):
    file: str
    # Format of the trace
    format: Literal["asc", "blf", "candump", "mf4"]
    # Start of the trace as Unix time; null if it has none: times start in 1970
    started_at_us: Optional[int]
    # Events read
    read: int
    # Frames with a selected message
    decoded: int
    # J1939 payloads longer than a frame, with a selected message
    pdus: int
    # Frames whose messages have no selected signal
    not_selected: int
    # Events that the filter does not pass
    filtered: int
    # Other events before from, or at or after to
    outside: int
    # Error and remote frames, and LIN frames without a valid response
    unusable: int
    # Frames without a message in the databases of their channel
    unknown: int
    # Distinct identifiers of these frames, by channel; at most 65,536
    unknown_ids: int
    # Most frequent of these identifiers, up to 20
    most_unknown: List[TraceDecodingMostUnknown]
    # Selected signals that cannot be decoded, up to 100
    omitted_signals: List[TraceDecodingOmittedSignals]
    output: str
    output_format: Literal["csv", "jsonl", "parquet"]
    # Bytes written
    bytes: int
    # Rows written
    rows: int
    # Values decoded
    samples: int
    # Skipped entries, by type
    skipped: Dict[str, int]
    # Number of gaps that the file reports
    gaps: int
    # Events lost in those gaps, if known
    missed: int
    # Number of invalid parts
    malformed: int
    # First invalid parts
    flaws: List[TraceDecodingFlaws]
    # Whether the file is truncated
    truncated: bool


class TraceDecodingMostUnknown(TypedDict):
    channel: str
    id: int
    extended: bool
    # Frames
    frames: int


class TraceDecodingOmittedSignals(TypedDict):
    database: str
    message: str
    signal: str
    reason: str


class TraceDecodingFlaws(TypedDict):
    # Line number from 1, or byte offset in BLF and MF4 files
    at: int
    message: str


class TraceSummary(TypedDict):
    file: str
    # File size; null for a pipe
    size: Optional[int]
    # Bytes read
    bytes: int
    # Whether the whole file was read; otherwise the values cover only a part
    complete: bool
    format: Literal["asc", "blf", "candump", "mf4"]
    # Start time as Unix time in microseconds; null if the file has none
    started_at_us: Optional[int]
    # Time from the first event to the last
    duration_us: int
    # All frames
    events: int
    buses: TraceSummaryBuses
    kinds: TraceSummaryKinds
    # Error frames
    error_frames: int
    # Remote frames
    remote_frames: int
    # Distinct identifiers; 11-bit, 29-bit and LIN identifiers are distinguished
    distinct_ids: int
    # Events that are older than the previous one
    out_of_order: int
    # Longest time between two events
    longest_pause_us: int
    channels: List[TraceSummaryChannels]
    # Skipped entries, by type
    skipped: Dict[str, int]
    # Number of gaps that the file reports
    gaps: int
    # Events lost in those gaps, if known
    missed: int
    # Number of invalid parts
    malformed: int
    # First invalid parts
    flaws: List[TraceSummaryFlaws]
    # Whether the file is truncated
    truncated: bool


class TraceSummaryBuses(TypedDict):
    # Events
    can: int
    # Events
    canfd: int
    # Events
    lin: int


class TraceSummaryKinds(TypedDict):
    # Received
    rx_frame: int
    # Sent
    tx_complete: int


class TraceSummaryChannels(TypedDict):
    # Channel number in the file
    channel: int
    # CAN and LIN channels are numbered separately
    bus: Literal["can", "lin"]
    name: Optional[str]
    # Events of the channel
    events: int
    # Time of the first event since the start
    first_us: int
    last_us: int


class TraceSummaryFlaws(TypedDict):
    # Line number from 1, or byte offset in BLF and MF4 files
    at: int
    message: str


class TxTask(TypedDict):
    task_id: str
    kind: Literal["cyclic", "lin_response"]
    # Channel selector as given
    channel: str
    selector_kind: Literal["serial", "uid", "name", "network", "slot"]
    # Physical selector that a logical network is bound to
    resolved: Optional[str]
    # Stable selector of the channel
    selector: str
    slot: int
    # null for a LIN response
    type: Optional[Literal["data", "remote", "master-write"]]
    # Identifier of the first frame
    id: int
    extended: bool
    fd: bool
    brs: bool
    esi: bool
    dlc: int
    # Payload as it was given, in uppercase hex; of a task by name that of the last frame, or of the next one after a change
    data: str
    # Message of a task by name
    message: Optional[str]
    # Database that described the message
    database: Optional[str]
    # Signals in data; null for a task by frame, and where the response has no room for them
    signals: Optional[List[DecodedSignal]]
    # LIN only
    checksum: Optional[Literal["classic", "enhanced"]]
    # null for a LIN response
    period_us: Optional[int]
    # Number of frames to send; 0 = unlimited
    count: int
    pattern: Literal["fixed", "increment_data", "increment_id", "random_data"]
    # paused while not enabled; finished when all frames were accepted
    state: Literal["running", "paused", "finished"]
    # Whether the task is offloaded to the device; otherwise the daemon runs it
    offloaded: bool
    # Frames accepted by the channel; for a LIN response, how often it was sent, or null on a master, which cannot distinguish it from its own frames
    sent: Optional[int]
    # Frames rejected by the channel; null if the device does not report it
    failed: Optional[int]
    # Send times missed by the daemon; null if the device does not report it
    missed: Optional[int]
    # Time from the due time to handing over the frame; null if offloaded
    lateness_us: Optional[TxTaskLatenessUs]
    # Reason why a frame could not be sent, last time
    last_error: Optional[TxTaskLastError]
    # Unix time in microseconds
    created_at_us: int


class TxTaskLatenessUs(TypedDict):
    # Number of measurements
    count: int
    # Median
    p50: int
    # 99th percentile
    p99: int
    # Maximum
    max: int


class TxTaskLastError(TypedDict):
    code: ErrorCode
    message: str


class TxTaskChange(TypedDict, total=False):
    # Values by signal name: a decimal number is a physical value, other text a label. JSON numbers are refused, because they are not exact
    signals: Dict[str, str]
    # Whether numbers in signals are raw values, which only their bits limit; default: false
    raw: bool
    # Payload of a task by frame in hex, as long as before
    data: str
    # Whether the task sends
    enabled: bool
    # Cycle time in microseconds
    period_us: int


class _TxTaskImportRequired(TypedDict):
    # Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str
    # Loaded database
    database: str


class TxTaskImport(_TxTaskImportRequired, total=False):
    # Only messages of this sender; default: all
    node: str


class _TxTaskRequestRequired(TypedDict):
    # Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot
    channel: str


class TxTaskRequest(_TxTaskRequestRequired, total=False):
    # Send cyclically, or respond to a LIN header
    kind: Literal["cyclic", "lin_response"]
    # Message of an attached database, instead of a frame: identifier, format and length come from there
    message: str
    # Values by signal name: a decimal number is a physical value, other text a label. JSON numbers are refused, because they are not exact
    signals: Dict[str, str]
    # Whether numbers in signals are raw values, which only their bits limit; default: false
    raw: bool
    # Database of the message; default: the only attached one that has it
    database: str
    # Counter of a task by name
    counter: TxTaskRequestCounter
    # End-to-end protection of a task by name, as in a codec of a gateway project
    e2e: TxTaskRequestE2e
    # Frame type; default: data on CAN, master-write on LIN
    type: Literal["data", "remote", "master-write"]
    # Identifier; required except for sync-break. A string is hex as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits or above 7FF: 29-bit)
    id: Union[int, str]
    # Whether the identifier is 29-bit; default: from the number of digits of a string, false for a number
    extended: bool
    # CAN FD frame
    fd: bool
    # CAN FD: send the data at the data bit rate (BRS)
    brs: bool
    # CAN FD: error state indicator (ESI)
    esi: bool
    # Data length code; default: from the data
    dlc: int
    # Payload in hex; spaces and separators between bytes are allowed
    data: str
    # LIN checksum model; default: that of the channel
    checksum: Literal["classic", "enhanced"]
    # Cycle time in microseconds; required for a cyclic task, unless the database has one for its message
    period_us: int
    # Number of frames to send; 0 = unlimited
    count: int
    # Change per frame: none, increment the data as one big-endian number, increment the identifier, or random data
    pattern: Literal["fixed", "increment_data", "increment_id", "random_data"]
    # Whether to offload to the device or kernel: true requires it, false leaves it to the daemon; default: offload if no reported information is lost
    offload: bool


class _TxTaskRequestCounterRequired(TypedDict):
    # Integer signal that counts frames from 0
    signal: str


class TxTaskRequestCounter(_TxTaskRequestCounterRequired, total=False):
    """Counter of a task by name"""

    # Raw value after which it is 0 again; default: what its bits hold
    max: str


class _TxTaskRequestE2eRequired(TypedDict):
    # AUTOSAR profile, or a free layout
    profile: Literal["1A", "1B", "1C", "1LOW", "2", "4", "5", "6", "7", "11A", "11C", "22", "free"]


class TxTaskRequestE2e(_TxTaskRequestE2eRequired, total=False):
    """End-to-end protection of a task by name, as in a codec of a gateway project"""

    # Data id
    data_id: int
    # Data ids, one for each counter
    data_id_list: List[int]
    # Protected bytes; default: the whole message or PDU
    data_length: int
    # Where the protection begins
    offset_bits: int
    # Where the checksum is
    crc_offset_bits: int
    # Where the counter is
    counter_offset_bits: int
    # Where the high nibble of the data id is
    nibble_offset_bits: int
    # Most steps between two good counters
    max_delta_counter: int
    # Maximum repeated frames in a row; default: unlimited
    max_no_new_or_repeated: int
    # Frames in sequence required after a sequence error; default: 0
    sync_counter_init: int
    # First counter to send; default: 0, or 1 for profiles 2 and 22
    counter_initial: str
    # The counter of the free layout
    counter: TxTaskRequestE2eCounter
    # The checksum of the free layout
    checksum: Union[TxTaskRequestE2eChecksum1, TxTaskRequestE2eChecksum2]
    # Bytes that enter the checksum first
    prefix: str
    # Bytes that enter the checksum last
    suffix: str
    # When a check is valid; without it the last frame decides
    window: TxTaskRequestE2eWindow


class TxTaskRequestE2eCounter(TypedDict):
    """The counter of the free layout"""

    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # Maximum count, after which the counter wraps to 0
    max: str


class TxTaskRequestE2eChecksum1(TypedDict):
    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # Which checksum
    algorithm: Literal["CRC8", "CRC8_GSM_A", "CRC8H2F", "CRC16", "CRC16_ARC", "CRC32", "CRC32P4", "CRC64", "sum8", "xor8"]


class TxTaskRequestE2eChecksum2(TypedDict):
    # Where it begins
    start_bit: int
    # Bits
    bit_length: int
    # Order of the bits in a frame, as in a DBC file
    byte_order: Literal["intel", "motorola"]
    # A CRC with parameters of its own
    algorithm: Literal["crc"]
    # Bits of the CRC
    width: int
    # Whether bits go in and come out least significant first
    reflect: bool
    # Polynomial
    polynomial: str
    # What the register begins with, as catalogues of CRCs write it
    initial: str
    # What is put over the result
    final_xor: str


class TxTaskRequestE2eWindow(TypedDict):
    """When a check is valid; without it the last frame decides"""

    # Checks that count
    size: int
    # Good ones among them that make it valid
    min_ok: int
    # Number of bad frames among them that leave it valid
    max_error: int


class UdsClear(TypedDict):
    # Group of DTCs, six hex digits; FFFFFF is all
    group: str


class UdsClearAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsClear]


class UdsClearRequest(TypedDict, total=False):
    # DTC or group of DTCs; default: FFFFFF, all: six hex digits, or text such as P0123-45
    group: str
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsCommunication(TypedDict):
    # 0 enables rx and tx, 1 rx only, 2 tx only, 3 disables both; 4 and 5 are for one node
    control: int


class UdsCommunicationAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsCommunication]


class _UdsCommunicationRequestRequired(TypedDict):
    # What the ECU receives and sends: enable-rx-tx, enable-rx, enable-tx, disable-rx-tx or a number
    control: Union[int, str]


class UdsCommunicationRequest(_UdsCommunicationRequestRequired, total=False):
    # Kind of messages: normal, network, both or a number
    type: Union[int, str]
    # Node of the controls 4 and 5
    node: int
    # Set the suppress bit: the ECU sends no positive response
    suppress: bool
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsDidValue(TypedDict):
    # Data identifier, four hex digits
    did: str
    # Name in dids of the ECU
    name: Optional[str]
    # Bytes of the value, uppercase hex
    data: str
    # Value by the codec of the identifier; null unless quality is good
    value: Optional[str]
    # Whether the value can be used, or why not
    quality: Literal["good", "invalid", "not_available", "error"]
    # Name of a special raw value
    label: Optional[str]


class UdsDtcAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsDtcs]


class UdsDtcRequest(TypedDict, total=False):
    # Status bits, any of which a DTC has; a string is hex; default: FF
    mask: Union[int, str]
    # DTC whose snapshot records to read: six hex digits, or text such as P0123-45
    snapshot: str
    # DTC whose extended data to read: six hex digits, or text such as P0123-45
    extended: str
    # Number of the record; default: 255, all
    record: int
    # Only the number of DTCs
    count: bool
    # All DTCs that the ECU supports
    supported: bool
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsDtcSetting(TypedDict):
    # 1 on, 2 off: whether the ECU stores DTCs
    setting: int


class UdsDtcSettingAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsDtcSetting]


class _UdsDtcSettingRequestRequired(TypedDict):
    # Setting: on, off or a number
    setting: Union[int, str]


class UdsDtcSettingRequest(_UdsDtcSettingRequestRequired, total=False):
    # Set the suppress bit: the ECU sends no positive response
    suppress: bool
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsDtcs(TypedDict):
    availability_mask: Optional[int]
    # Only of a count
    format: Optional[int]
    # Number of DTCs
    count: int
    # Empty for a count
    dtcs: List[UdsDtcsDtcs]
    snapshots: List[UdsDtcsSnapshots]
    extended_data: List[UdsDtcsExtendedData]


class UdsDtcsDtcs(TypedDict):
    # DTC, six hex digits
    dtc: str
    # DTC in its usual form
    text: str
    # Status byte
    status: int
    # Status bits that are set
    status_bits: List[Literal["test_failed", "test_failed_this_cycle", "pending", "confirmed", "not_completed_since_clear", "failed_since_clear", "not_completed_this_cycle", "warning_lamp"]]


class UdsDtcsSnapshots(TypedDict):
    # Record number
    record: int
    # Identifiers of known length, up to the first that is not known
    values: List[UdsDidValue]
    # Identifiers and values that could not be split, uppercase hex
    data: str


class UdsDtcsExtendedData(TypedDict):
    # Record number
    record: int
    # Bytes of the record; of several, also the records after the first, uppercase hex
    data: str


class UdsIo(TypedDict):
    # Data identifier, four hex digits
    did: str
    # Name in dids of the ECU
    name: Optional[str]
    # 0 returns control to the ECU, 1 resets to default, 2 freezes, 3 adjusts
    control: int
    # Control state that the ECU reports, uppercase hex
    data: str


class UdsIoAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsIo]


class _UdsIoRequestRequired(TypedDict):
    # Data identifier: its name in dids of the ECU, or four hex digits
    did: str
    # What to do: return gives control back to the ECU, adjust needs a value
    control: Literal["return", "default", "freeze", "adjust"]


class UdsIoRequest(_UdsIoRequestRequired, total=False):
    # Value to adjust to, by the codec of the identifier
    value: str
    # Control mask in hex
    mask: str
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsMemory(TypedDict):
    # First address
    address: int
    # Bytes read or written
    size: int
    # Bytes that were read, uppercase hex
    data: Optional[str]


class UdsMemoryReadAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsMemory]


class _UdsMemoryReadRequestRequired(TypedDict):
    # First address
    address: int
    # Bytes to read
    size: int


class UdsMemoryReadRequest(_UdsMemoryReadRequestRequired, total=False):
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsMemoryWriteAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsMemory]


class _UdsMemoryWriteRequestRequired(TypedDict):
    # First address
    address: int
    # Bytes to write in hex
    data: str


class UdsMemoryWriteRequest(_UdsMemoryWriteRequestRequired, total=False):
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsRead(TypedDict):
    values: List[UdsDidValue]


class UdsReadAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsRead]


class _UdsReadRequestRequired(TypedDict):
    # Data identifiers
    dids: List[str]


class UdsReadRequest(_UdsReadRequestRequired, total=False):
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsReset(TypedDict):
    # 1 hard, 2 key off on, 3 soft, 4 and 5 rapid power shutdown on and off
    reset: int
    # Only after 4; 255 is not available
    power_down_time_s: Optional[int]


class UdsResetAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsReset]


class UdsResetRequest(TypedDict, total=False):
    # Kind of reset: hard, key, soft or a number
    reset: Union[int, str]
    # Set the suppress bit: the ECU sends no positive response
    suppress: bool
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsRoutine(TypedDict):
    # Routine identifier, four hex digits
    routine: str
    action: Literal["start", "stop", "result"]
    # Bytes after the identifier, such as the status of the routine, uppercase hex
    data: str


class UdsRoutineAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsRoutine]


class _UdsRoutineRequestRequired(TypedDict):
    # What to do
    action: Literal["start", "stop", "result"]
    # Routine identifier, four hex digits
    routine: str


class UdsRoutineRequest(_UdsRoutineRequestRequired, total=False):
    # Bytes after the identifier in hex
    data: str
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsSecurity(TypedDict):
    # Odd sub-function that requested the seed
    level: int
    # Seed of the ECU, uppercase hex
    seed: Optional[str]
    # The key was accepted, or a seed of zeros said that the level was unlocked
    unlocked: bool


class UdsSecurityAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsSecurity]


class _UdsSecurityRequestRequired(TypedDict):
    # Odd sub-function that requests the seed
    level: int


class UdsSecurityRequest(_UdsSecurityRequestRequired, total=False):
    # Key in hex
    key: str
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsSession(TypedDict):
    # Session that the ECU entered: 1 default, 2 programming, 3 extended
    session: int
    # Null if the response has no times
    p2_ms: Optional[int]
    p2_star_ms: Optional[int]


class UdsSessionAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsSession]


class _UdsSessionRequestRequired(TypedDict):
    # Session: default, programming, extended or a number
    session: Union[int, str]


class UdsSessionRequest(_UdsSessionRequestRequired, total=False):
    # Set the suppress bit: the ECU sends no positive response
    suppress: bool
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class UdsWrite(TypedDict):
    # Data identifier that was written, four hex digits
    did: str
    # Name in dids of the ECU
    name: Optional[str]


class UdsWriteAnswer(TypedDict):
    ecu: str
    # Request as sent, at most its first 64 bytes, in hex
    request: str
    # Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one
    response: Optional[str]
    # null without a response, and with protocol isotp
    positive: Optional[bool]
    nrc: Optional[int]
    nrc_name: Optional[str]
    # Responses 0x78 before the final one
    pending: int
    # Time from the start of the request to its response
    duration_us: int
    # null unless the response is positive
    result: Optional[UdsWrite]


class _UdsWriteRequestRequired(TypedDict):
    # Data identifier: its name in dids of the ECU, or four hex digits
    did: str
    # Value by the codec of the identifier; hex without one
    value: str


class UdsWriteRequest(_UdsWriteRequestRequired, total=False):
    # Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply
    timeout_ms: int


class Version(TypedDict):
    product: str
    # Version of this build
    version: str
    # Git commit of the sources, with -dirty if they were modified; null if unknown
    commit: Optional[str]
    # Unix time of that commit in microseconds
    committed_at_us: Optional[int]
    # Release of the API contract that it implements
    contract: str
    # Version of the HTTP API
    api: str


class OpenapiAnswer(TypedDict):
    """An OpenAPI 3.1 document"""

    openapi: str


class DeviceListAnswer(TypedDict):
    devices: List[Device]


class ChannelListAnswer(TypedDict):
    channels: List[Channel]


class ChannelTrafficAnswer(TypedDict):
    channels: List[ChannelTraffic]


class TxTaskListAnswer(TypedDict):
    tx_tasks: List[TxTask]


class TxTaskImportAnswer(TypedDict):
    tasks: List[TxTask]
    skipped: List[TxTaskImportAnswerSkipped]


class TxTaskImportAnswerSkipped(TypedDict):
    message: str
    # no_cycle_time: not periodic; too_long: no frame has as many bytes; identifier_repeated: another message has the identifier
    reason: Literal["no_cycle_time", "cycle_time_out_of_range", "too_long", "identifier_repeated"]


class RouteListAnswer(TypedDict):
    routes: List[Route]


class DatabaseListAnswer(TypedDict):
    databases: List[Database]


class FileDeleteAnswer(TypedDict):
    file: str


class SignalListAnswer(TypedDict):
    plans: List[SignalPlan]
    plan_total: int
    plan_offset: int
    plan_next_offset: int
    # Events lost before decoding
    missed_events: int


class IsotpListAnswer(TypedDict):
    links: List[DiagnosticLink]


class EcuListAnswer(TypedDict):
    simulated_ecus: List[SimulatedEcu]


class LinScheduleListAnswer(TypedDict):
    lin_schedules: List[LinSchedule]


class LinSimulateAnswer(TypedDict):
    tasks: List[TxTask]


class RecorderListAnswer(TypedDict):
    recorders: List[RecorderSummary]
