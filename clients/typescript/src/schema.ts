// Generated from the OpenAPI document by npm run generate. Do not edit.

export type Bench = {
  source: 'project' | 'global' | 'built-in';
  path: string | null;
  project_id: string | null;
  devices: readonly {
    driver: string;
    address: string;
    ports: Record<string, string>;
  }[];
  networks: Record<string, {
    channel: string | null;
    restart_ms?: number;
  } | {
    tcp: {
      host: string;
      port: number;
      framing?: 'tcp' | 'rtu';
      gap_ms?: number;
      late_ms?: number;
      probe?: boolean;
      units?: Record<string, {
        late_ms?: number;
        probe?: boolean;
      }>;
    };
  } | {
    serial: {
      port: string;
      framing: 'rtu' | 'ascii';
      baud_rate: number;
      data_bits: number;
      parity: 'none' | 'even' | 'odd';
      stop_bits: number;
      gap_ms?: number;
      late_ms?: number;
      probe?: boolean;
      units?: Record<string, {
        late_ms?: number;
        probe?: boolean;
      }>;
    };
  }>;
  databases: Record<string, readonly string[]>;
  ecus: Record<string, EcuEntry>;
  recorders: Record<string, RecorderEntry>;
  firmware_index: string | null;
  dashboard: Dashboard | null;
};

export type BitTiming = {
  prescaler: number;
  tseg1: number;
  tseg2: number;
  sjw: number;
};

export type Capabilities = {
  api: string;
  transports: readonly string[];
  resources: readonly {
    path: string;
    methods: readonly string[];
  }[];
  limits: {
    request_body_bytes: number;
    response_bytes: number;
    header_bytes: number;
    json_depth: number;
    clients: number;
    sse_clients: number;
    websocket_clients: number;
    channels: number;
    history_capacity: number;
    history_page: number;
    databases: number;
    gateway_instances: number;
    gateway_file_bytes: number;
    gateway_budget_bytes: number;
    gateway_row_bytes: number;
    gateway_task_page: number;
    gateway_signal_page: number;
    gateway_graph_page: number;
    signal_plans: number;
    tx_tasks: number;
    routes: number;
    modbus_servers: number;
    sends: number;
    sample_page: number;
    http_batch_us: number;
    jobs_running: number;
    jobs_kept: number;
  };
  events: {
    websocket_subprotocol: string;
    statuses: Record<string, number>;
    error_count_bytes: number;
  };
  security: {
    default_listen: string;
    cors: boolean;
    tls: boolean;
    authentication: 'none' | 'token';
    non_loopback_requires: readonly string[];
    content_security_policy: string;
  };
};

export type Channel = {
  slot: number;
  selector: string;
  uid_selector: string;
  name: string | null;
  state: 'open' | 'bus_off' | 'lost' | 'closing';
  driver: string;
  sn: string;
  uid: string;
  port: number;
  number: number;
  bus: 'can' | 'canfd' | 'lin';
  mode: 'normal' | 'listen_only' | 'loopback';
  bitrate: number;
  data_bitrate: number | null;
  timing: {
    nominal: BitTiming;
    data?: BitTiming;
  } | null;
  termination: boolean | null;
  pull_up: boolean | null;
  power: boolean | null;
  lin: {
    role: 'master' | 'slave';
    version: '1.3' | '2.0' | '2.1' | '2.2';
    checksum: 'classic' | 'enhanced';
  } | null;
  restart_ms: number | null;
  opened_at_us: number;
  databases: readonly string[];
  warnings: readonly {
    code: ChannelWarningCode;
    message: string;
  }[];
  clock_bracket_us: number | null;
};

export type ChannelConfigRequest = {
  timing?: {
    nominal: BitTiming;
    data?: BitTiming;
  };
  lin?: {
    version?: '1.3' | '2.0' | '2.1' | '2.2';
    checksum?: 'classic' | 'enhanced';
  };
  mode?: 'normal' | 'listen_only' | 'loopback';
  termination?: boolean;
  pull_up?: boolean;
  bitrate?: number;
  data_bitrate?: number;
  power?: boolean;
  restart_ms?: number;
};

export type ChannelOpenRequest = {
  channel: string;
  name?: string;
  bus?: 'can' | 'canfd' | 'lin';
  mode?: 'normal' | 'listen_only' | 'loopback';
  bitrate?: number;
  data_bitrate?: number;
  timing?: {
    nominal: BitTiming;
    data?: BitTiming;
  };
  termination?: boolean;
  pull_up?: boolean;
  power?: boolean;
  lin?: {
    role?: 'master' | 'slave';
    version?: '1.3' | '2.0' | '2.1' | '2.2';
    checksum?: 'classic' | 'enhanced';
  };
  restart_ms?: number;
};

export type ChannelStats = {
  slot: number;
  selector: string;
  rx_frames: number;
  tx_frames: number;
  tx_failed: number;
  tx_pending: number;
  error_frames: number;
  overruns: number;
  times_lost: number;
  rx_rate_fps: number;
  tx_rate_fps: number;
  bus_load_percent: number;
  bus_state: 'error_active' | 'error_warning' | 'error_passive' | 'bus_off';
  tx_error_count: number;
  rx_error_count: number;
  clock_bracket_us: number | null;
  broker: {
    capacity: number;
    retained: number;
    oldest_event_id: number | null;
    newest_event_id: number | null;
    overwritten: number;
    ring_slots: number;
    consumers: readonly ({
      kind: 'sse' | 'websocket' | 'recv' | 'decode' | 'forward' | 'logging' | 'check';
      cursor: number;
      lag: number;
    })[];
  };
};

export type ChannelTraffic = {
  slot: number;
  selector: string;
  name: string | null;
  bus: 'can' | 'canfd' | 'lin';
  state: 'open' | 'bus_off' | 'lost' | 'closing';
  opened_at_us: number;
  seconds: readonly {
    at_us: number;
    rx_rate_fps: number;
    tx_rate_fps: number;
    bus_load_percent: number;
  }[];
};

export type ChannelWakeRequest = {
  timeout_ms?: number;
};

export type ChannelWarningCode = 'database_not_attached' | 'lin_bitrate_differs' | 'lin_version_differs';

export type CheckReport = {
  verdict: 'passed' | 'failed' | 'not_observed';
  passed: number;
  failed: number;
  not_observed: number;
  source: 'trace' | 'live';
  started_at_us: number | null;
  duration_us: number;
  events: number;
  gaps: number;
  missed: number;
  checks: readonly CheckResult[];
  environment: {
    busbar_version: string;
    node_version: string;
    platform: string;
    trace: {
      file: string;
      format: 'asc' | 'blf' | 'candump' | 'mf4';
      size: number | null;
      sha256: string | null;
    } | null;
    channels: readonly ({
      channel: number;
      bus: 'can' | 'canfd' | 'lin';
      name: string | null;
      selector: string | null;
      mode: string | null;
      bitrate: number | null;
      data_bitrate: number | null;
    })[];
    databases: readonly ({
      file: string;
      channel: string | null;
      size: number;
      sha256: string;
    })[];
  };
};

export type CheckRequest = {
  file?: string;
  checks?: readonly ({
    id?: string;
    check: string;
    codec?: {
      profile: '1A' | '1B' | '1C' | '1LOW' | '2' | '4' | '5' | '6' | '7' | '11A' | '11C' | '22' | 'free';
      data_id?: number;
      data_id_list?: readonly number[];
      data_length?: number;
      offset_bits?: number;
      crc_offset_bits?: number;
      counter_offset_bits?: number;
      nibble_offset_bits?: number;
      max_delta_counter?: number;
      max_no_new_or_repeated?: number;
      sync_counter_init?: number;
      counter_initial?: string;
      counter?: {
        start_bit: number;
        bit_length: number;
        byte_order: 'intel' | 'motorola';
        max: string;
      };
      checksum?: {
        start_bit: number;
        bit_length: number;
        byte_order: 'intel' | 'motorola';
        algorithm: 'CRC8' | 'CRC8_GSM_A' | 'CRC8H2F' | 'CRC16' | 'CRC16_ARC' | 'CRC32' | 'CRC32P4' | 'CRC64' | 'sum8' | 'xor8';
      } | {
        start_bit: number;
        bit_length: number;
        byte_order: 'intel' | 'motorola';
        algorithm: 'crc';
        width: number;
        reflect: boolean;
        polynomial: string;
        initial: string;
        final_xor: string;
      };
      prefix?: string;
      suffix?: string;
      window?: {
        size: number;
        min_ok: number;
        max_error: number;
      };
    } | {
      kind: 'native';
      plugin: string;
    };
  })[];
  trace?: string;
  seconds?: number;
  channels?: readonly string[];
  after?: number;
  databases?: readonly {
    file: string;
    channel?: string;
  }[];
  bitrate?: readonly string[];
};

export type CheckResult = {
  id: string;
  check: string;
  verdict: 'passed' | 'failed' | 'not_observed';
  reason: string | null;
  figures: readonly {
    name: string;
    value: number;
    unit: string;
  }[];
  violation_total: number;
  violations: readonly ({
    time_us: number;
    event: number | null;
    message: string;
    excerpt: readonly {
      time_us: number;
      event: number;
      channel: number;
      text: string;
      is_violation: boolean;
    }[];
  })[];
  plot: {
    name: string;
    unit: string;
    low: number | null;
    high: number | null;
    points: readonly {
      time_us: number;
      min: number;
      max: number;
    }[];
  } | null;
};

export type ConditionCheckRequest = {
  condition: string;
};

export type ConditionReport = {
  condition: string;
  kind: 'state' | 'instant';
  terms: readonly ({
    term: string;
    kind: 'state' | 'instant';
    channels: readonly string[];
    databases: readonly string[];
  })[];
  fired: number;
  last_fired_us: number | null;
  holds: boolean | null;
  since_us: number;
  until_us: number;
  missed: number;
};

export type Dashboard = {
  title?: string;
  about?: string;
  links?: readonly {
    title: string;
    page: string;
  }[];
  tiles?: readonly {
    title: string;
    channel: string;
    database: string;
    message: string;
    signals: readonly string[];
  }[];
  plot?: readonly {
    channel: string;
    database: string;
    message: string;
    signal: string;
  }[];
};

export type Database = {
  name: string;
  type: 'dbc' | 'ldf';
  file: string;
  size_bytes: number;
  encoding: string;
  version: string | null;
  messages: number;
  signals: number;
  j1939_messages: number;
  nodes: number;
  warnings: number;
  errors: number;
  loaded_at_us: number;
};

export type DatabaseContent = {
  name: string;
  type: 'dbc' | 'ldf';
  file: string;
  size_bytes: number;
  encoding: string;
  version: string | null;
  messages: number;
  signals: number;
  j1939_messages: number;
  nodes: number;
  warnings: number;
  errors: number;
  loaded_at_us: number;
  lin: DatabaseLinNetwork | null;
  diagnostics: readonly DatabaseDiagnostic[];
  message_total: number;
  message_offset: number;
  message_next_offset: number;
  message_page: readonly DatabaseMessage[];
};

export type DatabaseDiagnostic = {
  severity: 'info' | 'warning' | 'error';
  code: DatabaseDiagnosticCode;
  line: number;
  column: number;
  message: string;
  action: string;
};

export type DatabaseDiagnosticCode = 'access_unknown' | 'array_unaligned' | 'attribute_defined_twice' | 'attribute_mismatch' | 'attribute_undefined' | 'attributes_missing' | 'byte_order_ignored' | 'comment_without_kind' | 'comment_without_signal' | 'delay_irregular' | 'diagnostics_omitted' | 'encoding_mismatch' | 'factor_zero' | 'frame_id_reserved' | 'frame_length_irregular' | 'id_negative' | 'id_repeated' | 'id_without_mark' | 'initial_out_of_range' | 'integer_with_fraction' | 'length_needs_fd' | 'length_zero' | 'limit_not_finite' | 'limits_reversed' | 'master_missing' | 'matched_by_pgn' | 'multiplexing_endless' | 'multiplexing_unmarked' | 'multiplexing_unusable' | 'multiplexing_without_value' | 'multiplexor_ambiguous' | 'multiplexor_missing' | 'name_irregular' | 'name_repeated' | 'node_address_irregular' | 'number_hexadecimal' | 'overlap_check_incomplete' | 'pgn_repeated' | 'publisher_mismatch' | 'range_empty' | 'reference_unknown' | 'section_repeated' | 'semicolon_missing' | 'sender_missing' | 'signal_beyond_message' | 'signal_scattered' | 'signal_without_message' | 'signals_overlap' | 'statement_unknown' | 'syntax' | 'value_not_whole' | 'value_out_of_range' | 'value_type_mismatch' | 'version_unknown';

export type DatabaseLinEntry = {
  command: 'frame' | 'sporadic' | 'master_request' | 'slave_response' | 'assign_nad' | 'save_configuration' | 'assign_frame_id_range' | 'assign_frame_id' | 'unassign_frame_id' | 'data_dump' | 'conditional_change_nad' | 'free_format';
  frame: string | null;
  node: string | null;
  data: readonly number[];
  delay_ms: string;
};

export type DatabaseLinFrame = {
  kind: 'unconditional' | 'event_triggered' | 'diagnostic';
  publisher: string | null;
  checksum: 'classic' | 'enhanced';
  frames: readonly string[];
  collision_table: string | null;
};

export type DatabaseLinNetwork = {
  protocol_version: string | null;
  language_version: string | null;
  bitrate: number | null;
  channel_name: string | null;
  master: string | null;
  time_base_ms: string | null;
  jitter_ms: string | null;
  slaves: readonly DatabaseLinSlave[];
  sporadic_frames: readonly {
    name: string;
    frames: readonly string[];
  }[];
  schedule_tables: readonly {
    name: string;
    entries: readonly DatabaseLinEntry[];
  }[];
  omitted: boolean;
};

export type DatabaseLinSlave = {
  name: string;
  protocol: string | null;
  initial_nad: number | null;
  configured_nad: number | null;
  product: {
    supplier: number;
    function: number;
    variant: number;
  } | null;
  response_error: string | null;
  fault_state_signals: readonly string[];
  p2_min_ms: string;
  st_min_ms: string;
  n_as_timeout_ms: string;
  n_cr_timeout_ms: string;
  configurable_frames: readonly ({
    frame: string;
    message_id: number | null;
  })[];
};

export type DatabaseLoadRequest = {
  file: string;
  name?: string;
  type?: 'dbc' | 'ldf';
};

export type DatabaseMessage = {
  name: string;
  id: number;
  extended: boolean;
  pgn: number | null;
  fd: boolean;
  brs: boolean;
  length: number;
  senders: readonly string[];
  cycle_time_ms: number | null;
  comment: string | null;
  lin: DatabaseLinFrame | null;
  signal_offset: number;
  signals: readonly DatabaseSignal[];
  signals_omitted: number;
};

export type DatabaseSignal = {
  name: string;
  start_bit: number;
  length: number;
  byte_order: 'intel' | 'motorola';
  kind: 'unsigned' | 'signed' | 'float32' | 'float64';
  factor: string;
  offset: string;
  minimum: string | null;
  maximum: string | null;
  unit: string;
  receivers: readonly string[];
  is_switch: boolean;
  multiplexing: {
    switch: string;
    ranges: readonly {
      from: string;
      to: string;
    }[];
  } | null;
  values: readonly {
    raw: string;
    text: string;
  }[];
  ranges: readonly {
    from: string;
    to: string;
    factor: string;
    offset: string;
    unit: string;
  }[] | null;
  array: 'hex' | 'bcd' | 'ascii' | null;
  start_value: string | null;
  values_omitted: number;
  comment: string | null;
};

export type DecodedSignal = {
  signal: string;
  value: string | null;
  raw: string;
  unit: string;
  label: string | null;
};

export type Device = {
  sn: string;
  uid: string;
  name: string;
  driver: string;
  firmware_version: string;
  state: 'present' | 'lost';
  needs: string | null;
  ports: readonly ({
    port: number;
    name: string;
    selector: string;
    buses: readonly ('can' | 'canfd' | 'lin')[];
    channel: number | null;
    capabilities: {
      modes: readonly ('normal' | 'listen_only' | 'loopback')[];
      settings: readonly ('timing' | 'lin' | 'mode' | 'termination' | 'pull_up' | 'bitrate' | 'power' | 'restart_ms')[];
      bitrate: {
        min: number;
        max: number;
      };
      data_bitrate: {
        min: number;
        max: number;
      } | null;
      clock_hz: number | null;
      lin_roles: readonly ('master' | 'slave')[];
      lin_versions: readonly ('1.3' | '2.0' | '2.1' | '2.2')[];
      tx_queue: number;
    };
  })[];
};

export type DiagnosticLink = {
  ecu: string;
  in_bench: boolean;
  channel: string;
  selector: string | null;
  slot: number | null;
  state: 'closed' | 'open' | 'waiting';
  settings: {
    addressing: 'normal' | 'normal_fixed' | 'extended' | 'mixed';
    nad: number | null;
    request_id: number;
    response_id: number;
    functional_id: number | null;
    extended: boolean;
    source: number | null;
    target: number | null;
    functional_target: number | null;
    address_extension: number | null;
    fd: boolean;
    brs: boolean;
    tx_dl: number;
    padding: string;
    block_size: number;
    st_min_us: number;
    max_length: number;
    p2_ms: number;
    p2_star_ms: number;
    n_as_ms: number;
    n_bs_ms: number;
    n_cr_ms: number;
    wait_max: number;
  };
  session: number;
  security_level: number;
  tester_present: boolean;
  tester_present_ms: number | null;
  queued: number;
  counters: {
    sent: number;
    received: number;
    timeouts: number;
    findings: number;
  };
  last_finding: string | null;
  opened_at_us: number | null;
};

export type DiagnosticLinkRequest = {
  channel: string;
  name: string;
  nad?: number;
  request_id?: number | string;
  response_id?: number | string;
  functional_id?: number | string;
  extended?: boolean;
  addressing?: 'normal' | 'normal_fixed' | 'extended' | 'mixed';
  source?: number | string;
  target?: number | string;
  functional_target?: number | string;
  address_extension?: number | string;
  fd?: boolean;
  brs?: boolean;
  tx_dl?: 8 | 12 | 16 | 20 | 24 | 32 | 48 | 64;
  padding?: string;
  block_size?: number;
  st_min_us?: number;
  max_length?: number;
  p2_ms?: number;
  p2_star_ms?: number;
  n_as_ms?: number;
  n_bs_ms?: number;
  n_cr_ms?: number;
  wait_max?: number;
  dids?: string | Record<string, {
    name?: string;
    length?: number;
    codec?: 'ascii' | 'hex' | {
      id?: string;
      kind: 'linear';
      raw: 'unsigned' | 'signed' | 'float32' | 'float64' | 'bool';
      bit_length?: number;
      byte_order?: 'intel' | 'motorola';
      factor?: number;
      offset?: number;
      raw_min?: string;
      raw_max?: string;
      special?: readonly ({
        raw: string;
        state: 'invalid' | 'not_available' | 'error';
        label?: string;
      })[];
      invalid_raw?: string;
      comment?: string;
    };
  }>;
  seed_key?: {
    library: string;
    entry: string;
  };
};

export type DiagnosticRequest = {
  data?: string;
  file?: string;
  protocol?: 'uds' | 'isotp';
  wait?: boolean;
  functional?: boolean;
  timeout_ms?: number;
};

export type DiagnosticResponse = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  responses?: readonly ({
    id: number;
    address: number | null;
    data: string;
    positive: boolean | null;
    nrc: number | null;
    nrc_name: string | null;
  })[];
};

export type E2eSettings = {
  profile: '1A' | '1B' | '1C' | '1LOW' | '2' | '4' | '5' | '6' | '7' | '11A' | '11C' | '22' | 'free';
  data_id?: number;
  data_id_list?: readonly number[];
  data_length?: number;
  offset_bits?: number;
  crc_offset_bits?: number;
  counter_offset_bits?: number;
  nibble_offset_bits?: number;
  max_delta_counter: number;
  max_no_new_or_repeated?: number;
  sync_counter_init?: number;
  counter_initial?: string;
  counter?: {
    start_bit: number;
    bit_length: number;
    byte_order: 'intel' | 'motorola';
    max: string;
  };
  checksum?: {
    start_bit: number;
    bit_length: number;
    byte_order: 'intel' | 'motorola';
    algorithm: 'CRC8' | 'CRC8_GSM_A' | 'CRC8H2F' | 'CRC16' | 'CRC16_ARC' | 'CRC32' | 'CRC32P4' | 'CRC64' | 'sum8' | 'xor8';
  } | {
    start_bit: number;
    bit_length: number;
    byte_order: 'intel' | 'motorola';
    algorithm: 'crc';
    width: number;
    reflect: boolean;
    polynomial: string;
    initial: string;
    final_xor: string;
  };
  prefix?: string;
  suffix?: string;
  window?: {
    size: number;
    min_ok: number;
    max_error: number;
  };
};

export type EcuEntry = {
  channel: string;
  nad?: number;
  request_id?: number | string;
  response_id?: number | string;
  functional_id?: number | string;
  extended?: boolean;
  addressing?: 'normal' | 'normal_fixed' | 'extended' | 'mixed';
  source?: number | string;
  target?: number | string;
  functional_target?: number | string;
  address_extension?: number | string;
  fd?: boolean;
  brs?: boolean;
  tx_dl?: 8 | 12 | 16 | 20 | 24 | 32 | 48 | 64;
  padding?: string;
  block_size?: number;
  st_min_us?: number;
  max_length?: number;
  p2_ms?: number;
  p2_star_ms?: number;
  n_as_ms?: number;
  n_bs_ms?: number;
  n_cr_ms?: number;
  wait_max?: number;
  dids?: string | Record<string, {
    name?: string;
    length?: number;
    codec?: 'ascii' | 'hex' | {
      id?: string;
      kind: 'linear';
      raw: 'unsigned' | 'signed' | 'float32' | 'float64' | 'bool';
      bit_length?: number;
      byte_order?: 'intel' | 'motorola';
      factor?: number;
      offset?: number;
      raw_min?: string;
      raw_max?: string;
      special?: readonly ({
        raw: string;
        state: 'invalid' | 'not_available' | 'error';
        label?: string;
      })[];
      invalid_raw?: string;
      comment?: string;
    };
  }>;
  seed_key?: {
    library: string;
    entry: string;
  };
};

export type Error = {
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
  retryable: boolean;
};

export type ErrorCode = 'invalid_argument' | 'invalid_channel_selector' | 'unsupported_websocket_subprotocol' | 'unknown_command' | 'unauthorized' | 'operation_not_allowed' | 'origin_not_allowed' | 'path_outside_project' | 'channel_not_found' | 'database_not_found' | 'device_not_found' | 'ecu_not_found' | 'simulated_ecu_not_found' | 'file_not_found' | 'job_not_found' | 'message_not_found' | 'no_sample' | 'operation_not_found' | 'plan_not_found' | 'endpoint_not_found' | 'claim_not_found' | 'recorder_not_found' | 'route_not_found' | 'schedule_not_found' | 'schedule_table_not_found' | 'server_not_found' | 'instance_not_found' | 'fault_rule_not_found' | 'signal_not_found' | 'task_not_found' | 'method_not_allowed' | 'request_timeout' | 'address_in_use' | 'already_running' | 'instance_running' | 'output_conflict' | 'signal_not_writable' | 'j1939_address_taken' | 'ambiguous_message' | 'already_exists' | 'busy' | 'capacity_exceeded' | 'channel_cannot_send' | 'channel_not_open' | 'cursor_expired' | 'file_unavailable' | 'listen_failed' | 'firmware_index_missing' | 'network_unbound' | 'operation_cancelled' | 'web_not_running' | 'payload_too_large' | 'unsupported_media_type' | 'invalid_bench' | 'invalid_database' | 'unsupported_database' | 'invalid_diagnostics_file' | 'invalid_modbus_map' | 'invalid_firmware_index' | 'invalid_project' | 'unsupported_gateway_feature' | 'plugin_failed' | 'invalid_trace' | 'trace_damaged' | 'checks_failed' | 'checks_not_observed' | 'missing_cycle' | 'unsupported_by_hardware' | 'headers_too_large' | 'internal_error' | 'output_failed' | 'response_too_large' | 'hardware_error' | 'firmware_index_unreachable' | 'j1939_aborted' | 'flow_control_overflow' | 'sequence_error' | 'response_too_long' | 'unexpected_response' | 'modbus_exception' | 'modbus_bad_reply' | 'modbus_unreachable' | 'too_many_clients' | 'daemon_unreachable' | 'daemon_start_failed' | 'version_mismatch' | 'hardware_timeout' | 'j1939_timeout' | 'no_response' | 'response_pending_timeout' | 'flow_control_timeout' | 'consecutive_frame_timeout' | 'modbus_timeout' | 'instance_unresponsive';

export type ErrorEnvelope = {
  error: Error;
  request_id: string;
};

export type FilePutRequest = {
  data: string;
  upload?: string;
  offset?: number;
  complete?: boolean;
  replaces?: string;
};

export type FileUpload = {
  file: string;
  upload: string | null;
  bytes: number;
  version: string | null;
};

export type FirmwareReport = {
  sn: string;
  uid: string;
  device: string;
  installed: string;
  status: 'current' | 'outdated' | 'newer' | 'not_listed' | 'unknown';
  latest: {
    version: string;
    notes: string | null;
    url: string | null;
  } | null;
  index: string;
};

export type FlashReport = {
  ecu: string;
  file: string;
  sequence: string;
  bytes: number;
  segments: readonly {
    address: number;
    size: number;
  }[];
  requests: number;
  pending: number;
  duration_us: number;
  steps: readonly {
    name: string;
    requests: number;
    duration_us: number;
  }[];
};

export type FlashRequest = {
  file: string;
  sequence: string;
  address?: number;
};

export type GatewayEncodingErrorCode = 'out_of_range' | 'reserved_code' | 'inexact' | 'native_failed';

export type GatewayEvents = {
  signals: {
    instance: string;
    signals: readonly GatewaySignal[];
  };
  status: GatewayInstance;
  tasks: {
    instance: string;
    tasks: readonly GatewayTask[];
  };
  faults: {
    instance: string;
    faults: readonly GatewayFault[];
  };
  fault_events: {
    instance: string;
    fault_events: readonly GatewayFaultEvent[];
  };
  observed: {
    instance: string;
    observed: readonly ({
      first: number;
      observed_us: readonly (number | null)[];
    })[];
  };
  end: {
    instance: string;
    reason: 'unloaded' | 'shut_down';
  };
};

export type GatewayFault = {
  id: string;
  task: string;
  enabled: boolean;
  kind: 'drop' | 'repeat' | 'bypass' | 'suppress' | 'xor_byte' | 'set_byte' | 'freeze_counter' | 'counter_jump' | 'corrupt_checksum';
  start: number;
  every: number;
  count: number;
  byte_offset?: number;
  mask?: number;
  value?: string;
  comment?: string;
  fired: number;
};

export type GatewayFaultEvent = {
  sequence: number;
  timestamp_us: number;
  rule: string;
  kind: 'drop' | 'repeat' | 'bypass' | 'suppress' | 'xor_byte' | 'set_byte' | 'freeze_counter' | 'counter_jump' | 'corrupt_checksum';
  effect: 'injected' | 'unprotected' | 'dropped' | 'repeated' | 'suppressed' | 'conflict';
  task: string;
  event_id: number | null;
  channel: number | null;
  selector: string | null;
  id: number;
  extended: boolean;
  fd: boolean;
  brs: boolean;
  data: string | null;
};

export type GatewayFaultHistory = {
  instance: string;
  state: 'loaded' | 'starting' | 'running' | 'stopping' | 'stopped';
  next_after: number;
  oldest_available: number;
  newest_available: number;
  fault_events: readonly GatewayFaultEvent[];
};

export type GatewayFaultPage = {
  instance: string;
  state: 'loaded' | 'starting' | 'running' | 'stopping' | 'stopped';
  fault_total: number;
  fault_offset: number;
  fault_next_offset: number;
  faults: readonly GatewayFault[];
};

export type GatewayFaultRequest = {
  enabled: boolean;
};

export type GatewayFilePage = {
  type: string;
  complete: boolean;
  file_total: number;
  file_offset: number;
  file_next_offset: number;
  files: readonly {
    file: string;
    bytes: number;
    modified_us: number;
  }[];
};

export type GatewayGraphEdge = {
  group: 'edges';
  source: string;
  target: string;
  binding: string | null;
};

export type GatewayGraphNode = {
  group: 'nodes';
  id: string;
  kind: 'endpoint' | 'message' | 'pdu' | 'resource' | 'signal' | 'mapping' | 'processor' | 'task';
  row: string;
  endpoint: string | null;
  detail: string;
  protection: GatewayProtection | null;
};

export type GatewayGraphPage = {
  instance: string;
  node_total: number;
  edge_total: number;
  element_total: number;
  element_offset: number;
  element_next_offset: number;
  elements: readonly (GatewayGraphNode | GatewayGraphEdge)[];
};

export type GatewayImport = {
  output: string;
  id: string | null;
  counts: {
    endpoints: number;
    signals: number;
    codecs: number;
    messages: number;
    pdus: number;
    modbus_resources: number;
    bindings: number;
    mappings: number;
    tx_tasks: number;
    e2e: number;
    fault_rules: number;
    plugins: number;
  };
  added: {
    endpoints: number;
    signals: number;
    codecs: number;
    messages: number;
    pdus: number;
    modbus_resources: number;
    bindings: number;
    mappings: number;
    tx_tasks: number;
    e2e: number;
    fault_rules: number;
    plugins: number;
  };
  defaults: readonly GatewayImportDefault[];
  defaults_total: number;
  omitted: readonly GatewayImportOmission[];
  omitted_total: number;
  warnings: readonly GatewayWarning[];
  warnings_total: number;
};

export type GatewayImportDefault = {
  message: string;
  field: string;
  value: number;
  rule: string;
};

export type GatewayImportOmission = {
  message: string;
  signal: string | null;
  part: 'message' | 'signal' | 'labels';
  reason: string;
};

export type GatewayImportRequest = {
  file: string;
  output: string;
  overwrite?: boolean;
  merge?: string;
  instance?: string;
  network: string;
  direction: 'rx' | 'tx';
  missing_cycle?: 'periodic' | 'on_change';
  default_period_ms?: number;
  stale_after_ms?: number;
};

export type GatewayInstance = {
  instance: string;
  state: 'loaded' | 'starting' | 'running' | 'stopping' | 'stopped';
  health: 'ok' | 'degraded';
  project_id: string | null;
  file: string;
  loaded_at_us: number;
  failed_tasks: number;
  failed_checks: number;
  failed_check_messages: readonly string[];
  accepted: number;
  sent: number;
  failed: number;
  pending: number;
  unconfirmed: number;
  coalesced: number;
  queued_requests: number;
  cancelled_requests: number;
  processor_rejected_requests: number;
  late: number;
  missed: number;
  generated: number;
  injected: number;
  unprotected: number;
  dropped: number;
  repeated: number;
  suppressed: number;
  fault_conflicts: number;
  poll_coalesced: number;
  poll_missed: number;
  rejected_frames: {
    remote: number;
    short: number;
    e2e: number;
  };
  memory_budget_bytes: number;
  daemon_memory_budget_bytes: number;
  endpoint_total: number;
  task_total: number;
  task_offset: number;
  task_next_offset: number;
  endpoints: readonly ({
    id: string;
    kind: 'can' | 'modbus';
    network: string;
    resolved: string | null;
    connected: boolean;
    error: {
      code: GatewayTaskErrorCode;
      message: string;
    } | null;
  })[];
  tasks: readonly GatewayTask[];
};

export type GatewayInstanceList = {
  gateways: readonly GatewayInstance[];
};

export type GatewayLoadRequest = {
  file: string;
  instance?: string;
};

export type GatewayProtection = {
  direction: 'check' | 'protect';
  first_byte: number;
  length: number;
  settings: E2eSettings | null;
};

export type GatewayQuality = 'initial' | 'good' | 'timeout' | 'disconnected' | 'invalid' | 'not_available' | 'error' | 'e2e_error' | 'transform_error' | 'skew' | 'expired' | 'input_invalid';

export type GatewaySaveRequest = {
  file?: string;
  overwrite?: boolean;
};

export type GatewaySetRequest = {
  signal: string;
  value: string;
};

export type GatewaySignal = {
  id: string;
  type: 'bool' | 'int64' | 'uint64' | 'float64' | 'enum';
  producer: 'input' | 'software' | 'waveform' | 'constant' | 'derived';
  unit: string | null;
  value: string | null;
  label: string | null;
  valid: boolean;
  quality: GatewayQuality;
  observed_us: number | null;
  error: {
    code: GatewaySignalErrorCode;
    message: string;
  } | null;
  binding_total: number;
  bindings: readonly ({
    id: string;
    raw: string;
    valid: boolean;
    error: {
      code: GatewayEncodingErrorCode;
      message: string;
    } | null;
  })[];
};

export type GatewaySignalErrorCode = 'timeout' | 'disconnected' | 'invalid' | 'not_available' | 'error' | 'e2e_error' | 'transform_error' | 'skew' | 'expired' | 'input_invalid';

export type GatewaySignalPage = {
  instance: string;
  state: 'loaded' | 'starting' | 'running' | 'stopping' | 'stopped';
  snapshot_version: number;
  signal_total: number;
  signal_offset: number;
  signal_next_offset: number;
  signals: readonly GatewaySignal[];
};

export type GatewaySignalRules = {
  id: string;
  type: 'bool' | 'int64' | 'uint64' | 'float64' | 'enum';
  producer: 'input' | 'software' | 'waveform' | 'constant' | 'derived';
  unit: string | null;
  value: string | null;
  label: string | null;
  valid: boolean;
  quality: GatewayQuality;
  observed_us: number | null;
  error: {
    code: GatewaySignalErrorCode;
    message: string;
  } | null;
  binding_total: number;
  bindings: readonly ({
    id: string;
    raw: string;
    valid: boolean;
    error: {
      code: GatewayEncodingErrorCode;
      message: string;
    } | null;
  })[];
  minimum: string | null;
  maximum: string | null;
  label_total: number;
  labels: readonly {
    value: string;
    label: string;
  }[];
};

export type GatewaySummary = {
  instance: string;
  loaded_at_us: number;
  state: 'loaded' | 'starting' | 'running' | 'stopping' | 'stopped';
  health: 'ok' | 'degraded';
  enabled_faults: number;
};

export type GatewayTask = {
  id: string;
  kind: 'can' | 'modbus';
  policy: 'periodic' | 'on_change' | null;
  mode: 'value' | 'request';
  period_ms: number | null;
  state: 'loaded' | 'starting' | 'running' | 'stopping' | 'stopped';
  error: {
    code: GatewayTaskErrorCode;
    message: string;
    timestamp_us: number;
  } | null;
  warning: {
    code: GatewayWarningCode;
    message: string;
  } | null;
  accepted: number;
  sent: number;
  failed: number;
  pending: number;
  unconfirmed: number;
  coalesced: number;
  queued_requests: number;
  cancelled_requests: number;
  processor_rejected_requests: number;
  late: number;
  missed: number;
  generated: number;
  injected: number;
  unprotected: number;
  dropped: number;
  repeated: number;
  suppressed: number;
  fault_conflicts: number;
  last_lateness_us: number;
  max_lateness_us: number;
  source_age_at_submit_us: GatewayTiming;
  tick_to_submit_us: GatewayTiming;
  completion_wait_us: GatewayTiming;
  queue_wait_us: GatewayTiming;
  protocol_wait_us: GatewayTiming;
};

export type GatewayTaskErrorCode = 'fault_conflict' | 'tx_failed' | 'outcome_unknown' | 'queue_full' | 'bus_off' | 'listen_only' | 'device_lost' | 'unpowered' | 'not_on_bus' | 'channel_not_open' | 'modbus_exception' | 'modbus_timeout' | 'modbus_unreachable' | 'modbus_bad_reply' | 'native_failed';

export type GatewayTiming = {
  count: number;
  max: number;
  window: number;
  p50: number;
  p95: number;
  p99: number;
};

export type GatewayValidateRequest = {
  file: string;
};

export type GatewayValidation = {
  valid: boolean;
  id: string | null;
  counts: {
    endpoints: number;
    signals: number;
    codecs: number;
    messages: number;
    pdus: number;
    modbus_resources: number;
    bindings: number;
    mappings: number;
    tx_tasks: number;
    e2e: number;
    fault_rules: number;
    plugins: number;
  };
  warnings: readonly GatewayWarning[];
  warnings_total: number;
};

export type GatewayWarning = {
  table: 'endpoints' | 'signals' | 'codecs' | 'messages' | 'pdus' | 'modbus_resources' | 'bindings' | 'mappings' | 'tx_tasks' | 'e2e' | 'fault_rules' | 'plugins';
  row: string | null;
  index: number;
  field: string;
  code: GatewayWarningCode;
  message: string;
};

export type GatewayWarningCode = 'never_sent';

export type Health = {
  status: 'ok' | 'degraded';
  time_us: number;
  daemon: {
    status: 'ok' | 'degraded';
    pid: number;
    uptime_us: number;
    realtime: 'off' | 'active' | 'refused';
    threads: readonly ThreadHealth[];
    scheduler: {
      tasks: number;
      lateness_us: Lateness;
      last_minute_lateness_us: Lateness;
    };
  };
  web: {
    status: 'ok' | 'degraded' | 'stopped';
    listen: string | null;
    clients: number;
    requests: number;
    log_records_dropped: number;
  };
  broker: {
    status: 'ok' | 'degraded';
    channels: number;
    impaired: readonly ({
      selector: string;
      state: 'open' | 'bus_off' | 'lost' | 'closing';
    })[];
  };
  plugins: {
    status: 'ok' | 'degraded';
    unresponsive: {
      instance: string;
      plugin: string;
    } | null;
  };
  recording: {
    recorders: readonly RecorderHealth[];
  };
  gateway: {
    instances: readonly GatewaySummary[];
  };
};

export type Info = {
  product: string;
  version: string;
  commit: string | null;
  committed_at_us: number | null;
  contract: string;
  api: string;
  node: string;
  platform: string;
  service: {
    instance_id: string;
    pid: number;
    started_at_us: number;
    project_root: string;
    stream_epoch: number | null;
  };
};

export type J1939Addresses = {
  claims: readonly J1939Claim[];
  nodes: readonly J1939Node[];
};

export type J1939Claim = {
  claim_id: string;
  channel: string;
  selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
  resolved: string | null;
  selector: string;
  slot: number;
  name: string;
  state: 'claiming' | 'claimed' | 'cannot_claim';
  address: number | null;
  requested_address: number;
  last_error: {
    code: ErrorCode;
    message: string;
  } | null;
  created_at_us: number;
};

export type J1939ClaimRequest = {
  channel: string;
  name: string;
  address: number | string;
};

export type J1939Diagnostics = {
  lamps: {
    malfunction: 'off' | 'on' | 'slow' | 'fast' | 'not_available';
    red_stop: 'off' | 'on' | 'slow' | 'fast' | 'not_available';
    amber_warning: 'off' | 'on' | 'slow' | 'fast' | 'not_available';
    protect: 'off' | 'on' | 'slow' | 'fast' | 'not_available';
  };
  dtcs: readonly ({
    spn: number;
    fmi: number;
    count: number | null;
    conversion: number;
  })[];
};

export type J1939Node = {
  channel: number;
  selector: string;
  address: number | null;
  name: string;
  claim_id: string | null;
  timestamp_us: number;
  event_id: number;
  industry_group: number;
  vehicle_system: number;
  vehicle_system_instance: number;
  function: number;
  function_instance: number;
  ecu_instance: number;
  manufacturer: number;
  identity: number;
  arbitrary_address: boolean;
};

export type J1939Send = {
  channel: string;
  selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
  resolved: string | null;
  selector: string;
  slot: number;
  pgn: number;
  source: number;
  destination: number;
  length: number;
  method: 'frame' | 'broadcast' | 'transfer';
  frames: number;
  duration_us: number;
  message?: string;
  database?: string;
  data?: string;
  signals?: readonly DecodedSignal[];
};

export type J1939SendRequest = {
  channel: string;
  pgn?: number | string;
  source?: number | string;
  destination?: number | string;
  priority?: number;
  data?: string;
  message?: string;
  signals?: Record<string, string>;
  raw?: boolean;
  database?: string;
};

export type Job = {
  job_id: string;
  kind: string;
  target: string;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  created_at_us: number;
  started_at_us: number | null;
  finished_at_us: number | null;
  progress: {
    percent: number;
    bytes: number;
    total_bytes: number;
    step: number;
    steps: number;
    name: string;
  } | null;
  result: FirmwareReport | TraceDecoding | FlashReport | CheckReport | null;
  error: Error | null;
};

export type JobList = {
  jobs: readonly Job[];
};

export type Lateness = {
  count: number;
  p50: number;
  p99: number;
  p999: number;
  max: number;
};

export type LinResponse = {
  id: number;
  dlc: number;
  data: string;
  checksum: number;
  checksum_model: 'classic' | 'enhanced';
  timestamp_us: number;
};

export type LinSchedule = {
  schedule_id: string;
  channel: string;
  selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
  resolved: string | null;
  selector: string;
  slot: number;
  database: string;
  table: string;
  next_table: string | null;
  collision_table: string | null;
  cycles: number;
  sent: number;
  failed: number;
  missed: number;
  empty: number;
  unanswered: number;
  invalid: number;
  collisions: number;
  lateness_us: {
    count: number;
    p50: number;
    p99: number;
    max: number;
  } | null;
  last_error: {
    code: ErrorCode;
    message: string;
  } | null;
  frames: readonly LinScheduledFrame[];
  signals: readonly DecodedSignal[] | null;
  created_at_us: number;
};

export type LinScheduleChange = {
  table?: string;
  signals?: Record<string, string>;
  raw?: boolean;
};

export type LinScheduleRequest = {
  channel: string;
  table: string;
  database?: string;
};

export type LinScheduledFrame = {
  message: string;
  id: number;
  data: string;
  changed: boolean;
};

export type LinSimulationRequest = {
  nodes: readonly string[];
  database?: string;
};

export type Logging = {
  state: 'idle' | 'running' | 'failed';
  file: string | null;
  format: 'asc' | 'blf' | 'candump' | 'mf4' | null;
  channels: readonly ({
    channel: number;
    slot: number;
    selector: string;
    name: string | null;
  })[];
  frames: number;
  bytes: number;
  gaps: number;
  missed: number;
  started_at_us: number | null;
  stopped_at_us: number | null;
  error: Error | null;
};

export type LoggingStartRequest = {
  file: string;
  channels?: readonly string[];
  format?: 'asc' | 'blf' | 'candump' | 'mf4';
  overwrite?: boolean;
};

export type MessageEvent = {
  event_id: number;
  source_sequence: number;
  stream_epoch: number;
  kind: 'rx_frame' | 'tx_complete';
  bus: 'can' | 'canfd' | 'lin';
  channel: number;
  selector: string;
  id: number;
  extended: boolean;
  remote: boolean;
  fd: boolean;
  brs: boolean;
  esi: boolean;
  error: boolean;
  dlc: number;
  data: string;
  flags: number;
  status: number;
  timestamp_us: number;
  hardware_sequence: number;
  filter_hit: number;
  checksum: number;
  count?: number;
  message?: string | null;
  signals?: readonly DecodedSignal[];
};

export type MessageHistory = {
  events: readonly MessageEvent[];
  next_after: number;
  oldest_available: number;
  newest_available: number;
  has_more: boolean;
  stream_epoch: number;
  older: readonly {
    channel: number;
    selector: string;
    oldest_available: number;
  }[];
};

export type MessageSendRequest = {
  channel: string;
  message?: string;
  signals?: Record<string, string>;
  raw?: boolean;
  database?: string;
  type?: 'data' | 'remote' | 'master-write' | 'master-read' | 'sync-break';
  id?: number | string;
  extended?: boolean;
  fd?: boolean;
  brs?: boolean;
  esi?: boolean;
  dlc?: number;
  data?: string;
  checksum?: 'classic' | 'enhanced';
  count?: number;
  cycle_us?: number;
  timeout_ms?: number;
};

export type ModbusReadRequest = {
  network?: string;
  endpoint?: string;
  unit: number;
  timeout_ms?: number;
  gap_ms?: number;
  late_ms?: number;
  probe?: boolean;
  table?: 'coil' | 'discrete' | 'input' | 'holding';
  address?: number;
  reference?: string;
  type?: 'bool' | 'u16' | 's16' | 'u32' | 's32' | 'u64' | 's64' | 'f32' | 'f64';
  order?: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';
  count?: number;
  show?: 'decimal' | 'hex';
  retries?: number;
  trace?: boolean;
};

export type ModbusReading = {
  network: string | null;
  endpoint: string;
  unit: number;
  table: 'coil' | 'discrete' | 'input' | 'holding';
  address: number;
  reference: string;
  type: 'bool' | 'u16' | 's16' | 'u32' | 's32' | 'u64' | 's64' | 'f32' | 'f64';
  order: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';
  values: readonly string[];
  registers: readonly number[];
  attempts: number;
  trace?: readonly ModbusWireRecord[];
};

export type ModbusRegisters = {
  network: string | null;
  endpoint: string;
  unit: number;
  table: 'coil' | 'discrete' | 'input' | 'holding';
  address: number;
  reference: string;
  type: 'bool' | 'u16' | 's16' | 'u32' | 's32' | 'u64' | 's64' | 'f32' | 'f64';
  order: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';
  values: readonly (string | null)[];
  registers: readonly (number | null)[];
  ranges: readonly ({
    table: 'coil' | 'discrete' | 'input' | 'holding';
    address: number;
    count: number;
  })[];
  range_total: number;
};

export type ModbusScan = {
  network: string | null;
  endpoint: string;
  units: readonly ModbusScannedUnit[];
  silent: readonly number[];
};

export type ModbusScanRequest = {
  network?: string;
  endpoint?: string;
  units?: string;
  table?: 'coil' | 'discrete' | 'input' | 'holding';
  address?: number;
  reference?: string;
  timeout_ms?: number;
  gap_ms?: number;
  late_ms?: number;
  probe?: boolean;
  trace?: boolean;
};

export type ModbusScannedUnit = {
  unit: number;
  state: 'answering' | 'exception' | 'silent' | 'failed';
  exception: {
    code: number;
    name: string;
  } | null;
  round_trip_us: number | null;
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  trace?: readonly ModbusWireRecord[];
};

export type ModbusServeRequest = {
  network?: string;
  endpoint?: string;
  unit?: number;
  map?: string;
  gap_ms?: number;
};

export type ModbusServer = {
  network: string | null;
  endpoint: string;
  address: string | null;
  unit: number | null;
  units: readonly number[];
  map: string | null;
  instance: string | null;
  state: 'starting' | 'listening' | 'lost' | 'stopped';
  clients: number;
  started_at_us: number;
  clients_accepted: number;
  clients_refused: number;
  clients_timed_out: number;
  requests: number;
  requests_by_function: Record<string, number>;
  exceptions: Record<string, number>;
  refused_writes: number;
  broadcasts: number;
  foreign_unit: number;
  faults: {
    silent: number;
    delayed: number;
    exceptions: number;
  };
  bad_frames: number;
  bytes_received: number;
  bytes_sent: number;
};

export type ModbusSession = {
  endpoint: string;
  state: 'closed' | 'connecting' | 'open' | 'backing_off';
  users: number;
  queue_length: number;
  requests: number;
  responses: number;
  exceptions: number;
  timeouts: number;
  failures: number;
  protocol_errors: number;
  reconnects: number;
  bytes_in: number;
  bytes_out: number;
  round_trip_us: {
    count: number;
    p50: number;
    p99: number;
    max: number;
  };
  last_error: {
    code: ErrorCode;
    message: string;
    timestamp_us: number;
  } | null;
};

export type ModbusStatus = {
  sessions: readonly ModbusSession[];
  units: readonly ModbusUnit[];
  servers: readonly ModbusServer[];
};

export type ModbusStopRequest = {
  network?: string;
  endpoint?: string;
};

export type ModbusUnit = {
  endpoint: string;
  unit: number;
  state: 'healthy' | 'silent' | 'late' | 'resynchronising' | 'backing_off';
  misses: number;
  retry_in_ms: number | null;
};

export type ModbusWireRecord = {
  timestamp_us: number;
  direction: 'tx' | 'rx';
  data: string;
};

export type ModbusWriteRequest = {
  network?: string;
  endpoint?: string;
  unit: number;
  timeout_ms?: number;
  gap_ms?: number;
  late_ms?: number;
  probe?: boolean;
  table?: 'coil' | 'discrete' | 'input' | 'holding';
  address?: number;
  reference?: string;
  type?: 'bool' | 'u16' | 's16' | 'u32' | 's32' | 'u64' | 's64' | 'f32' | 'f64';
  order?: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';
  value?: readonly string[];
  bit?: readonly string[];
  multiple?: boolean;
  show?: 'decimal' | 'hex';
  retries?: number;
  trace?: boolean;
};

export type ModbusWriting = {
  network: string | null;
  endpoint: string;
  unit: number;
  table: 'coil' | 'discrete' | 'input' | 'holding';
  address: number;
  reference: string;
  type: 'bool' | 'u16' | 's16' | 'u32' | 's32' | 'u64' | 's64' | 'f32' | 'f64';
  order: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';
  values: readonly string[];
  registers: readonly number[];
  attempts: number;
  trace?: readonly ModbusWireRecord[];
  rounded: readonly {
    index: number;
    given: string;
    written: string;
  }[];
};

export type Operation = {
  id: string;
  category: string;
  action: string;
  summary: string;
  description: string | null;
  permission: 'observe' | 'operate' | 'administer';
  execution: {
    place: 'cli' | 'client' | 'bench';
    daemon: 'none' | 'optional' | 'required' | 'start';
    streaming: boolean;
  };
  cli: {
    usage: string;
    examples: readonly string[];
  } | null;
  http: {
    available: boolean;
    method: string | null;
    path: string | null;
    reason: string | null;
  };
  parameters: readonly OperationParameter[];
  result: Record<string, unknown>;
  errors: readonly ({
    code: ErrorCode;
    status: number;
    exit: number;
    message: string;
    retryable: boolean;
    faces: readonly ('cli' | 'http')[];
  })[];
};

export type OperationList = {
  operations: readonly Operation[];
};

export type OperationParameter = {
  name: string;
  type: string;
  required: boolean;
  description: string;
  schema: Record<string, unknown>;
  cli: string | null;
  http: 'path' | 'query' | 'body' | null;
};

export type Pdu = {
  sequence: number;
  protocol: 'j1939' | 'isotp' | 'lin';
  channel: number;
  selector: string;
  channel_name: string | null;
  first_event_id: number;
  last_event_id: number;
  timestamp_us: number;
  duration_us: number;
  frames: number;
  length: number;
  data: string;
  data_omitted: number;
  status: PduStatus;
  findings: readonly {
    code: PduFindingCode;
    event_id: number;
  }[];
  pgn: number | null;
  source: number | null;
  destination: number | null;
  priority: number | null;
  acknowledged: boolean | null;
  diagnostics: J1939Diagnostics | null;
  id: number | null;
  extended: boolean | null;
  address: number | null;
  words: string | null;
};

export type PduFindingCode = 'abort_busy' | 'abort_resources' | 'abort_timeout' | 'abort_cts_during_data' | 'abort_retransmit_limit' | 'abort_unexpected_data' | 'abort_bad_sequence' | 'abort_duplicate_sequence' | 'abort_too_long' | 'abort_dpo_pgn' | 'abort_dpo_packets' | 'abort_dpo_offset' | 'abort_cts_pgn' | 'abort_cts_packets' | 'abort_other' | 'acknowledged_incomplete' | 'bad_announcement' | 'bad_destination' | 'bad_length' | 'bad_offset' | 'bad_sequence' | 'data_without_offset' | 'different_repeat' | 'events_missing' | 'first_frame_short' | 'flow_invalid' | 'flow_late' | 'flow_missing' | 'flow_overflow' | 'flow_unexpected' | 'memory_limit' | 'pgn_differs' | 'repeat' | 'restarted' | 'sequence_gap' | 'size_differs' | 'st_min_reserved' | 'st_min_violated';

export type PduHistory = {
  pdus: readonly Pdu[];
  next_after: number;
  oldest_available: number;
  newest_available: number;
};

export type PduStatus = 'complete' | 'lost' | 'conflict' | 'timeout' | 'aborted' | 'replaced' | 'orphan' | 'open' | 'too_long';

export type RecordedFile = {
  file: string;
  first_event_id: number | null;
  last_event_id: number | null;
  frames: number;
  bytes: number;
};

export type Recorder = {
  name: string;
  source: 'bench' | 'request';
  state: 'idle' | 'armed' | 'running' | 'waiting' | 'failed';
  file: string;
  channels: readonly string[] | null;
  format: 'asc' | 'blf' | 'candump' | 'mf4';
  split: {
    max_bytes?: number;
    max_seconds?: number;
  } | null;
  keep: {
    max_files?: number;
    max_bytes?: number;
  } | null;
  compress: boolean;
  embed_databases: boolean;
  trigger: {
    start?: string;
    stop?: string;
    pre_ms?: number;
    post_ms?: number;
    once?: boolean;
  } | null;
  sync_seconds: number;
  frames: number;
  bytes: number;
  gaps: number;
  missed: number;
  started_at_us: number | null;
  stopped_at_us: number | null;
  error: Error | null;
  recorded: readonly ({
    channel: number;
    slot: number;
    selector: string;
    name: string | null;
  })[];
  files: readonly RecordedFile[];
};

export type RecorderChange = {
  file?: string;
  channels?: readonly string[];
  format?: 'asc' | 'blf' | 'candump' | 'mf4';
  split?: {
    max_bytes?: number;
    max_seconds?: number;
  };
  keep?: {
    max_files?: number;
    max_bytes?: number;
  };
  compress?: boolean;
  embed_databases?: boolean;
  trigger?: {
    start?: string;
    stop?: string;
    pre_ms?: number;
    post_ms?: number;
    once?: boolean;
  };
  sync_seconds?: number;
};

export type RecorderEntry = {
  file: string;
  channels?: readonly string[];
  format?: 'asc' | 'blf' | 'candump' | 'mf4';
  split?: {
    max_bytes?: number;
    max_seconds?: number;
  };
  keep?: {
    max_files?: number;
    max_bytes?: number;
  };
  compress?: boolean;
  embed_databases?: boolean;
  trigger?: {
    start?: string;
    stop?: string;
    pre_ms?: number;
    post_ms?: number;
    once?: boolean;
  };
  sync_seconds?: number;
};

export type RecorderHealth = {
  name: string;
  state: 'idle' | 'armed' | 'running' | 'waiting' | 'failed';
  frames: number;
  bytes: number;
  gaps: number;
  missed: number;
  error: ErrorCode | null;
  field: string | null;
  message: string | null;
};

export type RecorderRequest = {
  name: string;
  file: string;
  channels?: readonly string[];
  format?: 'asc' | 'blf' | 'candump' | 'mf4';
  split?: {
    max_bytes?: number;
    max_seconds?: number;
  };
  keep?: {
    max_files?: number;
    max_bytes?: number;
  };
  compress?: boolean;
  embed_databases?: boolean;
  trigger?: {
    start?: string;
    stop?: string;
    pre_ms?: number;
    post_ms?: number;
    once?: boolean;
  };
  sync_seconds?: number;
};

export type RecorderSummary = {
  name: string;
  source: 'bench' | 'request';
  state: 'idle' | 'armed' | 'running' | 'waiting' | 'failed';
  file: string;
  channels: readonly string[] | null;
  format: 'asc' | 'blf' | 'candump' | 'mf4';
  split: {
    max_bytes?: number;
    max_seconds?: number;
  } | null;
  keep: {
    max_files?: number;
    max_bytes?: number;
  } | null;
  compress: boolean;
  embed_databases: boolean;
  trigger: {
    start?: string;
    stop?: string;
    pre_ms?: number;
    post_ms?: number;
    once?: boolean;
  } | null;
  sync_seconds: number;
  frames: number;
  bytes: number;
  gaps: number;
  missed: number;
  started_at_us: number | null;
  stopped_at_us: number | null;
  error: Error | null;
  recorded: readonly ({
    channel: number;
    slot: number;
    selector: string;
    name: string | null;
  })[];
};

export type RemoteForwarding = {
  state: 'idle' | 'running' | 'failed';
  listen: string | null;
  peers: readonly ({
    peer: string;
    datagrams_sent: number;
    frames_sent: number;
    datagrams_received: number;
    frames_received: number;
    lost_datagrams: number;
    reordered: number;
    duplicates: number;
    jumps: number;
    malformed: {
      version: number;
      opcode: number;
      truncated: number;
      count: number;
    };
    invalid_frames: number;
    error_frames: number;
    last_received_at_us: number | null;
  })[];
  channels: readonly {
    selector: string;
    slot: number;
    open: boolean;
    sent: number;
    refused: Record<string, number>;
    dropped: number;
    expired: number;
    queued: number;
  }[];
  max_age_ms: number | null;
  buffer_us: number | null;
  frames_to_peers: number;
  frames_from_peers: number;
  gaps: number;
  missed: number;
  expired: number;
  strangers: number;
  overruns: number | null;
  send_errors: number;
  started_at_us: number | null;
  error: {
    reason: RemoteForwardingFailure;
    message: string;
  } | null;
};

export type RemoteForwardingFailure = 'socket_failed' | 'channel_closed';

export type RemoteStartRequest = {
  listen?: string;
  peer: readonly string[];
  channels: readonly string[];
  max_age_ms?: number;
  buffer_us?: number;
};

export type Replay = {
  state: 'idle' | 'running' | 'finished' | 'failed';
  stopped: boolean;
  warning: string | null;
  file: string | null;
  files: readonly string[];
  format: 'asc' | 'blf' | 'candump' | 'mf4' | null;
  channels: Record<string, string>;
  filter: string | null;
  ids: Record<string, string>;
  speed: number | null;
  loop: boolean;
  repeat: {
    count: number;
    pause_us: number;
  } | null;
  loops: number;
  start_offset_us: number;
  position_us: number;
  duration_us: number | null;
  progress: number;
  frames_sent: number;
  frames_skipped: number;
  skipped: Record<string, number>;
  unread: Record<string, number>;
  malformed: number;
  truncated: boolean;
  out_of_order: number;
  max_lateness_us: number;
  deviation_us: {
    count: number;
    p50: number;
    p99: number;
    max: number;
  };
  started_at_us: number | null;
  finished_at_us: number | null;
  error: Error | null;
};

export type ReplayStartRequest = {
  file?: string;
  files?: readonly string[];
  channels: Record<string, string>;
  filter?: string;
  ids?: Record<string, string>;
  speed?: number;
  loop?: boolean;
  repeat?: {
    count: number;
    pause_us?: number;
  };
  start_offset_us?: number;
};

export type Route = {
  route_id: string;
  source: {
    channel: string;
    selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
    resolved: string | null;
    selector: string;
    slot: number;
    id: number;
    mask: number;
    extended: boolean;
  };
  target: {
    channel: string;
    selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
    resolved: string | null;
    selector: string;
    slot: number;
    id: number | null;
    extended: boolean;
  };
  offloaded: boolean;
  matched: number;
  sent: number;
  failed: number;
  last_error: {
    code: ErrorCode;
    message: string;
  } | null;
  created_at_us: number;
};

export type RouteRequest = {
  source: {
    channel: string;
    id: number | string;
    mask?: number | string;
    extended?: boolean;
  };
  target: {
    channel: string;
    id?: number | string;
  };
  offload?: boolean;
};

export type SendResult = {
  accepted: number;
  channel: string;
  selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
  slot: number;
  resolved: string | null;
  response: LinResponse | null;
  message?: string;
  database?: string;
  id?: number;
  extended?: boolean;
  data?: string;
  frame?: string;
  signals?: readonly DecodedSignal[];
};

export type SignalHistory = {
  samples: readonly SignalSample[];
  next_after: number;
  oldest_available: number;
  newest_available: number;
};

export type SignalPlan = {
  plan_id: string;
  channel: string;
  selector: string;
  slot: number;
  database: string | null;
  databases: readonly string[];
  message: string | null;
  messages: readonly string[];
  id: number | null;
  extended: boolean | null;
  pgn: number | null;
  source_address: number | null;
  signals: readonly string[];
  omitted: readonly {
    signal: string;
    reason: string;
  }[];
  omitted_total: number;
  history: number;
  frames: number;
  channel_open: boolean;
};

export type SignalPlanRequest = {
  channel: string;
  database?: string;
  message?: string | number;
  signals?: readonly string[];
  source_address?: number;
  history?: number;
};

export type SignalSample = {
  sequence: number;
  plan_id: string;
  signal: string;
  value: string | null;
  raw: string;
  label: string | null;
  unit: string;
  valid: boolean;
  timestamp_us: number;
  event_id: number;
  mux: string | null;
  source_address: number | null;
};

export type SimulatedEcu = {
  ecu_id: string;
  channel: string;
  selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
  resolved: string | null;
  selector: string;
  slot: number;
  ecu: string | null;
  file: string;
  settings: {
    addressing: 'normal' | 'normal_fixed' | 'extended' | 'mixed';
    nad: number | null;
    request_id: number;
    response_id: number;
    functional_id: number | null;
    extended: boolean;
    source: number | null;
    target: number | null;
    functional_target: number | null;
    address_extension: number | null;
    fd: boolean;
    brs: boolean;
    tx_dl: number;
    padding: string;
    block_size: number;
    st_min_us: number;
    max_length: number;
    p2_ms: number;
    p2_star_ms: number;
    n_as_ms: number;
    n_bs_ms: number;
    n_cr_ms: number;
    wait_max: number;
  };
  session: number;
  security_level: number;
  counters: {
    requests: number;
    responses: number;
    negative: number;
    abandoned: number;
  };
  faults: readonly ({
    kind: 'drop' | 'delay' | 'sequence' | 'nrc' | 'silent' | 'silent_after_pending';
    frame: number;
    left: number | null;
  })[];
  created_at_us: number;
};

export type SimulatedEcuRequest = {
  channel: string;
  file: string;
  ecu?: string;
  nad?: number;
  request_id?: number | string;
  response_id?: number | string;
  functional_id?: number | string;
  extended?: boolean;
  addressing?: 'normal' | 'normal_fixed' | 'extended' | 'mixed';
  source?: number | string;
  target?: number | string;
  functional_target?: number | string;
  address_extension?: number | string;
  fd?: boolean;
  brs?: boolean;
  tx_dl?: 8 | 12 | 16 | 20 | 24 | 32 | 48 | 64;
  padding?: string;
  block_size?: number;
  st_min_us?: number;
  max_length?: number;
  p2_ms?: number;
  p2_star_ms?: number;
  n_as_ms?: number;
  n_bs_ms?: number;
  n_cr_ms?: number;
  wait_max?: number;
};

export type TesterPresentRequest = {
  enabled?: boolean;
  period_ms?: number;
};

export type ThreadHealth = {
  name: 'client' | 'loader';
  state: 'starting' | 'running' | 'restarting' | 'stopped';
  restarts: number;
  last_failure: string | null;
};

export type TraceDecodeRequest = {
  file: string;
  output: string;
  databases: readonly {
    file: string;
    channel?: string;
  }[];
  signals?: readonly string[];
  filter?: string;
  from?: string;
  to?: string;
  wide?: boolean;
  every_ms?: number;
  overwrite?: boolean;
};

export type TraceDecoding = {
  file: string;
  format: 'asc' | 'blf' | 'candump' | 'mf4';
  started_at_us: number | null;
  read: number;
  decoded: number;
  pdus: number;
  not_selected: number;
  filtered: number;
  outside: number;
  unusable: number;
  unknown: number;
  unknown_ids: number;
  most_unknown: readonly {
    channel: string;
    id: number;
    extended: boolean;
    frames: number;
  }[];
  omitted_signals: readonly {
    database: string;
    message: string;
    signal: string;
    reason: string;
  }[];
  output: string;
  output_format: 'csv' | 'jsonl' | 'parquet';
  bytes: number;
  rows: number;
  samples: number;
  skipped: Record<string, number>;
  gaps: number;
  missed: number;
  malformed: number;
  flaws: readonly {
    at: number;
    message: string;
  }[];
  truncated: boolean;
};

export type TraceSummary = {
  file: string;
  size: number | null;
  bytes: number;
  complete: boolean;
  format: 'asc' | 'blf' | 'candump' | 'mf4';
  started_at_us: number | null;
  duration_us: number;
  events: number;
  buses: {
    can: number;
    canfd: number;
    lin: number;
  };
  kinds: {
    rx_frame: number;
    tx_complete: number;
  };
  error_frames: number;
  remote_frames: number;
  distinct_ids: number;
  out_of_order: number;
  longest_pause_us: number;
  channels: readonly ({
    channel: number;
    bus: 'can' | 'lin';
    name: string | null;
    events: number;
    first_us: number;
    last_us: number;
  })[];
  skipped: Record<string, number>;
  gaps: number;
  missed: number;
  malformed: number;
  flaws: readonly {
    at: number;
    message: string;
  }[];
  truncated: boolean;
};

export type TxTask = {
  task_id: string;
  kind: 'cyclic' | 'lin_response';
  channel: string;
  selector_kind: 'serial' | 'uid' | 'name' | 'network' | 'slot';
  resolved: string | null;
  selector: string;
  slot: number;
  type: 'data' | 'remote' | 'master-write' | null;
  id: number;
  extended: boolean;
  fd: boolean;
  brs: boolean;
  esi: boolean;
  dlc: number;
  data: string;
  message: string | null;
  database: string | null;
  signals: readonly DecodedSignal[] | null;
  checksum: 'classic' | 'enhanced' | null;
  period_us: number | null;
  count: number;
  pattern: 'fixed' | 'increment_data' | 'increment_id' | 'random_data';
  state: 'running' | 'paused' | 'finished';
  offloaded: boolean;
  sent: number | null;
  failed: number | null;
  missed: number | null;
  lateness_us: {
    count: number;
    p50: number;
    p99: number;
    max: number;
  } | null;
  last_error: {
    code: ErrorCode;
    message: string;
  } | null;
  created_at_us: number;
};

export type TxTaskChange = {
  signals?: Record<string, string>;
  raw?: boolean;
  data?: string;
  enabled?: boolean;
  period_us?: number;
};

export type TxTaskImport = {
  channel: string;
  database: string;
  node?: string;
};

export type TxTaskRequest = {
  channel: string;
  kind?: 'cyclic' | 'lin_response';
  message?: string;
  signals?: Record<string, string>;
  raw?: boolean;
  database?: string;
  counter?: {
    signal: string;
    max?: string;
  };
  e2e?: {
    profile: '1A' | '1B' | '1C' | '1LOW' | '2' | '4' | '5' | '6' | '7' | '11A' | '11C' | '22' | 'free';
    data_id?: number;
    data_id_list?: readonly number[];
    data_length?: number;
    offset_bits?: number;
    crc_offset_bits?: number;
    counter_offset_bits?: number;
    nibble_offset_bits?: number;
    max_delta_counter?: number;
    max_no_new_or_repeated?: number;
    sync_counter_init?: number;
    counter_initial?: string;
    counter?: {
      start_bit: number;
      bit_length: number;
      byte_order: 'intel' | 'motorola';
      max: string;
    };
    checksum?: {
      start_bit: number;
      bit_length: number;
      byte_order: 'intel' | 'motorola';
      algorithm: 'CRC8' | 'CRC8_GSM_A' | 'CRC8H2F' | 'CRC16' | 'CRC16_ARC' | 'CRC32' | 'CRC32P4' | 'CRC64' | 'sum8' | 'xor8';
    } | {
      start_bit: number;
      bit_length: number;
      byte_order: 'intel' | 'motorola';
      algorithm: 'crc';
      width: number;
      reflect: boolean;
      polynomial: string;
      initial: string;
      final_xor: string;
    };
    prefix?: string;
    suffix?: string;
    window?: {
      size: number;
      min_ok: number;
      max_error: number;
    };
  };
  type?: 'data' | 'remote' | 'master-write';
  id?: number | string;
  extended?: boolean;
  fd?: boolean;
  brs?: boolean;
  esi?: boolean;
  dlc?: number;
  data?: string;
  checksum?: 'classic' | 'enhanced';
  period_us?: number;
  count?: number;
  pattern?: 'fixed' | 'increment_data' | 'increment_id' | 'random_data';
  offload?: boolean;
};

export type UdsClear = {
  group: string;
};

export type UdsClearAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsClear | null;
};

export type UdsClearRequest = {
  group?: string;
  timeout_ms?: number;
};

export type UdsCommunication = {
  control: number;
};

export type UdsCommunicationAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsCommunication | null;
};

export type UdsCommunicationRequest = {
  control: number | string;
  type?: number | string;
  node?: number;
  suppress?: boolean;
  timeout_ms?: number;
};

export type UdsDidValue = {
  did: string;
  name: string | null;
  data: string;
  value: string | null;
  quality: 'good' | 'invalid' | 'not_available' | 'error';
  label: string | null;
};

export type UdsDtcAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsDtcs | null;
};

export type UdsDtcRequest = {
  mask?: number | string;
  snapshot?: string;
  extended?: string;
  record?: number;
  count?: boolean;
  supported?: boolean;
  timeout_ms?: number;
};

export type UdsDtcSetting = {
  setting: number;
};

export type UdsDtcSettingAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsDtcSetting | null;
};

export type UdsDtcSettingRequest = {
  setting: number | string;
  suppress?: boolean;
  timeout_ms?: number;
};

export type UdsDtcs = {
  availability_mask: number | null;
  format: number | null;
  count: number;
  dtcs: readonly ({
    dtc: string;
    text: string;
    status: number;
    status_bits: readonly ('test_failed' | 'test_failed_this_cycle' | 'pending' | 'confirmed' | 'not_completed_since_clear' | 'failed_since_clear' | 'not_completed_this_cycle' | 'warning_lamp')[];
  })[];
  snapshots: readonly {
    record: number;
    values: readonly UdsDidValue[];
    data: string;
  }[];
  extended_data: readonly {
    record: number;
    data: string;
  }[];
};

export type UdsIo = {
  did: string;
  name: string | null;
  control: number;
  data: string;
};

export type UdsIoAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsIo | null;
};

export type UdsIoRequest = {
  did: string;
  control: 'return' | 'default' | 'freeze' | 'adjust';
  value?: string;
  mask?: string;
  timeout_ms?: number;
};

export type UdsMemory = {
  address: number;
  size: number;
  data: string | null;
};

export type UdsMemoryReadAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsMemory | null;
};

export type UdsMemoryReadRequest = {
  address: number;
  size: number;
  timeout_ms?: number;
};

export type UdsMemoryWriteAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsMemory | null;
};

export type UdsMemoryWriteRequest = {
  address: number;
  data: string;
  timeout_ms?: number;
};

export type UdsRead = {
  values: readonly UdsDidValue[];
};

export type UdsReadAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsRead | null;
};

export type UdsReadRequest = {
  dids: readonly string[];
  timeout_ms?: number;
};

export type UdsReset = {
  reset: number;
  power_down_time_s: number | null;
};

export type UdsResetAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsReset | null;
};

export type UdsResetRequest = {
  reset?: number | string;
  suppress?: boolean;
  timeout_ms?: number;
};

export type UdsRoutine = {
  routine: string;
  action: 'start' | 'stop' | 'result';
  data: string;
};

export type UdsRoutineAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsRoutine | null;
};

export type UdsRoutineRequest = {
  action: 'start' | 'stop' | 'result';
  routine: string;
  data?: string;
  timeout_ms?: number;
};

export type UdsSecurity = {
  level: number;
  seed: string | null;
  unlocked: boolean;
};

export type UdsSecurityAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsSecurity | null;
};

export type UdsSecurityRequest = {
  level: number;
  key?: string;
  timeout_ms?: number;
};

export type UdsSession = {
  session: number;
  p2_ms: number | null;
  p2_star_ms: number | null;
};

export type UdsSessionAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsSession | null;
};

export type UdsSessionRequest = {
  session: number | string;
  suppress?: boolean;
  timeout_ms?: number;
};

export type UdsWrite = {
  did: string;
  name: string | null;
};

export type UdsWriteAnswer = {
  ecu: string;
  request: string;
  response: string | null;
  positive: boolean | null;
  nrc: number | null;
  nrc_name: string | null;
  pending: number;
  duration_us: number;
  result: UdsWrite | null;
};

export type UdsWriteRequest = {
  did: string;
  value: string;
  timeout_ms?: number;
};

export type Version = {
  product: string;
  version: string;
  commit: string | null;
  committed_at_us: number | null;
  contract: string;
  api: string;
};

/** Input and output of each operation of the API, by its id. */
export interface Operations {
  /** Show product, build, API and service identity */
  'info': {
    input: Record<never, never>;
    answer: Info;
  };
  /** Show the health of the daemon, the Web service and the channel brokers */
  'health': {
    input: Record<never, never>;
    answer: Health;
  };
  /** Show transports, resources, limits and security defaults */
  'capabilities': {
    input: Record<never, never>;
    answer: Capabilities;
  };
  /** Print the OpenAPI 3.1 document of the HTTP API */
  'openapi': {
    input: Record<never, never>;
    answer: {
      openapi: string;
    };
  };
  /** Print metrics in the Prometheus text format */
  'metrics': {
    input: Record<never, never>;
    answer: string;
  };
  /** List every command with its policy, parameters and HTTP binding */
  'operation.list': {
    input: Record<never, never>;
    answer: OperationList;
  };
  /** Show the contract of an operation */
  'operation.show': {
    input: {
      /** Operation ID */
      operation_id: string;
    };
    answer: Operation;
  };
  /** Show the bench in use: its devices, port names and logical networks */
  'bench.show': {
    input: Record<never, never>;
    answer: Bench;
  };
  /** Compare the firmware of a device with the bench’s firmware index */
  'device.firmware-check': {
    input: {
      /** Serial number or UID of the device */
      selector: string;
    };
    answer: Job;
  };
  /** List the connected analyzers and their ports */
  'device.list': {
    input: Record<never, never>;
    answer: {
      devices: readonly Device[];
    };
  };
  /** List the open channels */
  'channel.list': {
    input: Record<never, never>;
    answer: {
      channels: readonly Channel[];
    };
  };
  /** Open a port as a channel */
  'channel.open': {
    input: ChannelOpenRequest;
    answer: Channel;
  };
  /** Show an open channel and its settings */
  'channel.show': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
    };
    answer: Channel;
  };
  /** Change one group of settings of an open channel */
  'channel.configure': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
    } & ChannelConfigRequest;
    answer: Channel;
  };
  /** Close a channel and discard its history */
  'channel.close': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
    };
    answer: Channel;
  };
  /** Recover a CAN channel from bus off */
  'channel.recover': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
    };
    answer: Channel;
  };
  /** Wake a LIN bus with a wake-up pulse */
  'channel.wake': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
    } & ChannelWakeRequest;
    answer: SendResult;
  };
  /** Show counters, rates, bus state and event retention of a channel */
  'channel.stats': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
    };
    answer: ChannelStats;
  };
  /** Show the bus load of the open channels for each second of the last minute */
  'channel.traffic': {
    input: {
      /** Only seconds that ended after this Unix time in microseconds */
      after_us?: number;
    };
    answer: {
      channels: readonly ChannelTraffic[];
    };
  };
  /** Stream the bus load of the open channels as server-sent events */
  'channel.traffic-stream': {
    input: Record<never, never>;
    answer: string;
  };
  /** Stream results of operations as server-sent events */
  'state.stream': {
    input: {
      /** Operations to stream */
      include: 'channel.list' | 'channel.stats' | 'channel.traffic' | 'device.list' | 'database.list' | 'signal.list' | 'job.list' | 'isotp.list' | 'tx-task.list' | 'route.list' | 'logging.status' | 'recorder.list' | 'replay.status' | 'remote.status' | 'gateway.status' | 'metrics' | readonly ('channel.list' | 'channel.stats' | 'channel.traffic' | 'device.list' | 'database.list' | 'signal.list' | 'job.list' | 'isotp.list' | 'tx-task.list' | 'route.list' | 'logging.status' | 'recorder.list' | 'replay.status' | 'remote.status' | 'gateway.status' | 'metrics')[];
    };
    answer: string;
  };
  /** Send a CAN, CAN FD or LIN frame, a message by name, a batch, or a list of frames */
  'message.send': {
    input: MessageSendRequest;
    answer: SendResult;
  };
  /** Read past events of channels */
  'message.history': {
    input: {
      /** Channels to receive from, by any selector; default: all */
      channel?: string | readonly string[];
      /** Event ID to resume after */
      after?: number;
      /** Identifiers to include, in hex as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits: 29-bit), a range 100-1FF, or identifier and mask 123:7FF */
      id?: string | readonly string[];
      /** Only received (rx) or only sent (tx) frames */
      direction?: 'rx' | 'tx';
      /** Add the message and its signals by the databases attached to the channel */
      decode?: boolean;
      /** Maximum number of events; the response size limit may reduce it */
      limit?: number;
    };
    answer: MessageHistory;
  };
  /** Stream events as server-sent events */
  'message.stream': {
    input: {
      /** Channels to receive from, by any selector; default: all */
      channel?: string | readonly string[];
      /** Event ID to resume after */
      after?: number;
      /** Identifiers to include, in hex as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits: 29-bit), a range 100-1FF, or identifier and mask 123:7FF */
      id?: string | readonly string[];
      /** Only received (rx) or only sent (tx) frames */
      direction?: 'rx' | 'tx';
      /** Add the message and its signals by the databases attached to the channel */
      decode?: boolean;
    };
    answer: string;
  };
  /** Stream events as binary WebSocket messages */
  'message.ws': {
    input: {
      /** Channels to receive from, by any selector; default: all */
      channel?: string | readonly string[];
      /** Event ID to resume after */
      after?: number;
      /** Identifiers to include, in hex as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits: 29-bit), a range 100-1FF, or identifier and mask 123:7FF */
      id?: string | readonly string[];
      /** Only received (rx) or only sent (tx) frames */
      direction?: 'rx' | 'tx';
      /** Minimum time in milliseconds between two writes; events in between are sent together, which costs the client less. With a short history it is shorter, so that no event is overwritten */
      interval_ms?: number;
    };
    answer: string;
  };
  /** Show how a condition is understood, and how often it fired in the last minute */
  'condition.check': {
    input: ConditionCheckRequest;
    answer: ConditionReport;
  };
  /** Send a frame cyclically, or respond to a LIN header */
  'tx-task.add': {
    input: TxTaskRequest;
    answer: TxTask;
  };
  /** List the transmit tasks */
  'tx-task.list': {
    input: Record<never, never>;
    answer: {
      tx_tasks: readonly TxTask[];
    };
  };
  /** Change a transmit task while it runs */
  'tx-task.set': {
    input: {
      /** Transmit task ID */
      task_id: string;
    } & TxTaskChange;
    answer: TxTask;
  };
  /** Remove a transmit task and show its final counters */
  'tx-task.remove': {
    input: {
      /** Transmit task ID */
      task_id: string;
    };
    answer: TxTask;
  };
  /** Show the message of a transmit task by name */
  'tx-task.message': {
    input: {
      /** Transmit task ID */
      task_id: string;
    };
    answer: DatabaseMessage;
  };
  /** Send all periodic messages of a database: a rest bus in one command */
  'tx-task.import': {
    input: TxTaskImport;
    answer: {
      tasks: readonly TxTask[];
      skipped: readonly ({
        message: string;
        reason: 'no_cycle_time' | 'cycle_time_out_of_range' | 'too_long' | 'identifier_repeated';
      })[];
    };
  };
  /** Forward received CAN frames to another channel */
  'route.add': {
    input: RouteRequest;
    answer: Route;
  };
  /** List the routes */
  'route.list': {
    input: Record<never, never>;
    answer: {
      routes: readonly Route[];
    };
  };
  /** Remove a route and show its final counters */
  'route.remove': {
    input: {
      /** Route ID */
      route_id: string;
    };
    answer: Route;
  };
  /** Read coils, inputs or registers of a Modbus unit */
  'modbus.read': {
    input: ModbusReadRequest;
    answer: ModbusReading;
  };
  /** Write coils or holding registers of a Modbus unit */
  'modbus.write': {
    input: ModbusWriteRequest;
    answer: ModbusWriting;
  };
  /** Find the units that answer at an endpoint */
  'modbus.scan': {
    input: ModbusScanRequest;
    answer: ModbusScan;
  };
  /** Serve one or more Modbus units */
  'modbus.serve': {
    input: ModbusServeRequest;
    answer: ModbusServer;
  };
  /** Stop a server started by modbus serve */
  'modbus.stop': {
    input: ModbusStopRequest;
    answer: ModbusServer;
  };
  /** List Modbus sessions, units and servers with their counters */
  'modbus.status': {
    input: Record<never, never>;
    answer: ModbusStatus;
  };
  /** Show the contents of a unit of a Modbus server in this daemon */
  'modbus.registers': {
    input: {
      /** Modbus network of the bench */
      network?: string;
      /** Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields */
      endpoint?: string;
      /** Unit of the server; optional if the server has only one */
      unit?: number;
      /** Table; a reference implies it */
      table?: 'coil' | 'discrete' | 'input' | 'holding';
      /** Address of the first item, zero-based */
      address?: number;
      /** Reference as in device manuals, one-based, instead of table and address */
      reference?: string;
      /** Data type; default: u16 for registers, bool for bits */
      type?: 'bool' | 'u16' | 's16' | 'u32' | 's32' | 'u64' | 's64' | 'f32' | 'f64';
      /** Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap the two bytes of u16 and s16; it does not apply to bool */
      order?: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';
      /** Number of values; each uses as many registers as its type needs */
      count?: number;
      /** Show values as numbers or as raw bits */
      show?: 'decimal' | 'hex';
    };
    answer: ModbusRegisters;
  };
  /** Stream Modbus sessions, servers and register contents as server-sent events */
  'modbus.stream': {
    input: {
      /** Modbus network of the bench */
      network?: string;
      /** Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields */
      endpoint?: string;
      /** Unit of the server; optional if the server has only one */
      unit?: number;
      /** Table; a reference implies it */
      table?: 'coil' | 'discrete' | 'input' | 'holding';
      /** Address of the first item, zero-based */
      address?: number;
      /** Reference as in device manuals, one-based, instead of table and address */
      reference?: string;
      /** Data type; default: u16 for registers, bool for bits */
      type?: 'bool' | 'u16' | 's16' | 'u32' | 's32' | 'u64' | 's64' | 'f32' | 'f64';
      /** Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap the two bytes of u16 and s16; it does not apply to bool */
      order?: 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';
      /** Number of values; each uses as many registers as its type needs */
      count?: number;
      /** Show values as numbers or as raw bits */
      show?: 'decimal' | 'hex';
      /** Additional registers to stream on the same connection, each written as a query of modbus registers */
      also?: string | readonly string[];
    };
    answer: string;
  };
  /** Load a database with messages and signals */
  'database.load': {
    input: DatabaseLoadRequest;
    answer: Database;
  };
  /** List the loaded databases */
  'database.list': {
    input: Record<never, never>;
    answer: {
      databases: readonly Database[];
    };
  };
  /** Show a database: its diagnostics, messages and signals */
  'database.show': {
    input: {
      /** Name of a loaded database */
      name: string;
      /** Show only this message, by name or by identifier in printed hex */
      message?: string;
      /** Index of the first message */
      offset?: number;
      /** Maximum number of messages */
      limit?: number;
      /** Index of the first signal of the first message */
      signal_offset?: number;
    };
    answer: DatabaseContent;
  };
  /** Unload and detach a database; signal plans made from it keep running */
  'database.unload': {
    input: {
      /** Name of a loaded database */
      name: string;
    };
    answer: Database;
  };
  /** Read the file of a database again after a change */
  'database.reload': {
    input: {
      /** Name of a loaded database */
      name: string;
    };
    answer: Database;
  };
  /** Attach a database to a channel */
  'database.attach': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
      /** Name of a loaded database */
      name: string;
    };
    answer: Channel;
  };
  /** Detach a database from a channel; signal plans made from it keep running */
  'database.detach': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
      /** Name of a loaded database */
      name: string;
    };
    answer: Channel;
  };
  /** Validate a gateway project */
  'gateway.validate': {
    input: GatewayValidateRequest;
    answer: GatewayValidation;
  };
  /** List files for gateway and Modbus operations */
  'gateway.files': {
    input: {
      /** File type: projects (gwproj), databases (dbc, ldf), JSON files such as Modbus server maps (json), or traces (trace) */
      type: 'gwproj' | 'dbc' | 'ldf' | 'json' | 'trace';
      /** Index of the first file */
      offset?: number;
      /** Maximum number of files */
      limit?: number;
    };
    answer: GatewayFilePage;
  };
  /** Download a file of the project directory */
  'file.get': {
    input: {
      /** Path inside the project directory; in a path, write / as %2F */
      file: string;
    };
    answer: Uint8Array;
  };
  /** Upload a file into the project directory */
  'file.put': {
    input: {
      /** Path inside the project directory; in a path, write / as %2F */
      file: string;
    } & FilePutRequest;
    answer: FileUpload;
  };
  /** Delete a file of the project directory */
  'file.delete': {
    input: {
      /** Path inside the project directory; in a path, write / as %2F */
      file: string;
      /** Version to delete */
      version: string;
    };
    answer: {
      file: string;
    };
  };
  /** Convert a DBC file into a gateway project, or merge it into one */
  'gateway.import': {
    input: GatewayImportRequest;
    answer: GatewayImport;
  };
  /** Load a gateway project into an instance */
  'gateway.load': {
    input: GatewayLoadRequest;
    answer: GatewayInstance;
  };
  /** List the instances, or show one with its tasks */
  'gateway.status': {
    input: {
      /** Instance name */
      instance?: string;
      /** Index of the first task */
      offset?: number;
      /** Maximum number of tasks */
      limit?: number;
    };
    answer: GatewayInstanceList | GatewayInstance;
  };
  /** Start an instance */
  'gateway.start': {
    input: {
      /** Instance name */
      instance: string;
    };
    answer: GatewayInstance;
  };
  /** Stop an instance */
  'gateway.stop': {
    input: {
      /** Instance name */
      instance: string;
    };
    answer: GatewayInstance;
  };
  /** Show the fault rules of an instance */
  'gateway.faults': {
    input: {
      /** Instance name */
      instance: string;
      /** Index of the first rule */
      offset?: number;
      /** Maximum number of rules */
      limit?: number;
    };
    answer: GatewayFaultPage;
  };
  /** Show the fault events of an instance */
  'gateway.fault-events': {
    input: {
      /** Instance name */
      instance: string;
      /** Sequence to resume after */
      after?: number;
      /** Maximum number of events */
      limit?: number;
    };
    answer: GatewayFaultHistory;
  };
  /** Enable or disable a fault rule */
  'gateway.fault': {
    input: {
      /** Instance name */
      instance: string;
      /** Fault rule ID; a rule named events can only be switched from the command line */
      rule: string;
    } & GatewayFaultRequest;
    answer: GatewayFault;
  };
  /** Show the signals of an instance */
  'gateway.signals': {
    input: {
      /** Instance name */
      instance: string;
      /** Index of the first signal */
      offset?: number;
      /** Maximum number of signals */
      limit?: number;
    };
    answer: GatewaySignalPage;
  };
  /** Set the value of a software signal */
  'gateway.set': {
    input: {
      /** Instance name */
      instance: string;
    } & GatewaySetRequest;
    answer: GatewaySignal;
  };
  /** Show a signal of an instance with its definition */
  'gateway.signal': {
    input: {
      /** Instance name */
      instance: string;
      /** Signal ID */
      signal: string;
    };
    answer: GatewaySignalRules;
  };
  /** Save the project of an instance to a file */
  'gateway.save': {
    input: {
      /** Instance name */
      instance: string;
    } & GatewaySaveRequest;
    answer: GatewayInstance;
  };
  /** Unload a stopped instance */
  'gateway.unload': {
    input: {
      /** Instance name */
      instance: string;
    };
    answer: GatewayInstance;
  };
  /** Follow the signals and the status of an instance as server-sent events */
  'gateway.stream': {
    input: {
      /** Instance name */
      instance: string;
      /** Additional instances to stream on the same connection */
      also?: string | readonly string[];
      /** Events to include in addition to signals and status */
      include?: 'tasks' | 'faults' | 'fault_events' | 'observed' | readonly ('tasks' | 'faults' | 'fault_events' | 'observed')[];
    };
    answer: string;
  };
  /** Show the signal flow of an instance, from endpoints to tasks */
  'gateway.graph': {
    input: {
      /** Instance name */
      instance: string;
      /** Index of the first element */
      offset?: number;
      /** Maximum number of elements */
      limit?: number;
    };
    answer: GatewayGraphPage;
  };
  /** List the active signal plans */
  'signal.list': {
    input: {
      /** Index of the first plan */
      offset?: number;
      /** Maximum number of plans */
      limit?: number;
    };
    answer: {
      plans: readonly SignalPlan[];
      plan_total: number;
      plan_offset: number;
      plan_next_offset: number;
      missed_events: number;
    };
  };
  /** Decode a message on a channel, or all messages of databases */
  'signal.plan-create': {
    input: SignalPlanRequest;
    answer: SignalPlan;
  };
  /** Delete a signal plan and its samples */
  'signal.plan-delete': {
    input: {
      /** Signal plan ID */
      plan_id: string;
    };
    answer: SignalPlan;
  };
  /** Show the latest sample of a signal */
  'signal.latest': {
    input: {
      /** Signal plan ID */
      plan: string;
      /** Name of a signal of the plan */
      signal: string;
    };
    answer: SignalSample;
  };
  /** Read past samples of a signal */
  'signal.history': {
    input: {
      /** Signal plan ID */
      plan: string;
      /** Name of a signal of the plan */
      signal: string;
      /** Sequence to resume after */
      after?: number;
      /** Maximum number of samples */
      limit?: number;
    };
    answer: SignalHistory;
  };
  /** Stream signal samples as server-sent events */
  'signal.stream': {
    input: {
      /** Signal plans to stream; default: all current plans */
      plan?: string | readonly string[];
      /** Signals to stream, by name; default: all signals of the plans */
      signal?: string | readonly string[];
      /** Sequence to resume after */
      after?: number;
    };
    answer: string;
  };
  /** Read past reassembled payloads */
  'pdu.history': {
    input: {
      /** Channels to receive from, by any selector; default: all */
      channel?: string | readonly string[];
      /** Protocols to include; default: all */
      protocol?: 'j1939' | 'isotp' | 'lin' | readonly ('j1939' | 'isotp' | 'lin')[];
      /** J1939 parameter groups to include: decimal, or hex with 0x */
      pgn?: string | readonly string[];
      /** Identifiers of ISO-TP and LIN to include, in hex as printed; J1939 PDUs have none */
      id?: string | readonly string[];
      /** Sequence to resume after */
      after?: number;
      /** Maximum number of PDUs; the response size limit may reduce it */
      limit?: number;
    };
    answer: PduHistory;
  };
  /** Stream reassembled payloads as server-sent events */
  'pdu.stream': {
    input: {
      /** Channels to receive from, by any selector; default: all */
      channel?: string | readonly string[];
      /** Protocols to include; default: all */
      protocol?: 'j1939' | 'isotp' | 'lin' | readonly ('j1939' | 'isotp' | 'lin')[];
      /** J1939 parameter groups to include: decimal, or hex with 0x */
      pgn?: string | readonly string[];
      /** Identifiers of ISO-TP and LIN to include, in hex as printed; J1939 PDUs have none */
      id?: string | readonly string[];
      /** Sequence to resume after */
      after?: number;
    };
    answer: string;
  };
  /** Send a J1939 message */
  'j1939.send': {
    input: J1939SendRequest;
    answer: J1939Send;
  };
  /** Claim a J1939 address and hold it */
  'j1939.claim': {
    input: J1939ClaimRequest;
    answer: J1939Claim;
  };
  /** List the J1939 addresses that nodes have claimed */
  'j1939.list': {
    input: {
      /** Channels to list, by any selector; default: all */
      channel?: string | readonly string[];
    };
    answer: J1939Addresses;
  };
  /** Stop holding a J1939 address */
  'j1939.release': {
    input: {
      /** Claim ID */
      claim_id: string;
    };
    answer: J1939Claim;
  };
  /** List the diagnostic links */
  'isotp.list': {
    input: Record<never, never>;
    answer: {
      links: readonly DiagnosticLink[];
    };
  };
  /** Open a diagnostic link to an ECU that the bench file does not name */
  'isotp.open': {
    input: DiagnosticLinkRequest;
    answer: DiagnosticLink;
  };
  /** Show a diagnostic link with its settings, session and counters */
  'isotp.show': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    };
    answer: DiagnosticLink;
  };
  /** Close a diagnostic link */
  'isotp.close': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    };
    answer: DiagnosticLink;
  };
  /** Send a request to an ECU and return its response */
  'uds.request': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & DiagnosticRequest;
    answer: DiagnosticResponse;
  };
  /** Change the diagnostic session of an ECU (10) */
  'uds.session': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsSessionRequest;
    answer: UdsSessionAnswer;
  };
  /** Reset an ECU (11) */
  'uds.reset': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsResetRequest;
    answer: UdsResetAnswer;
  };
  /** Read data identifiers (22) */
  'uds.read': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsReadRequest;
    answer: UdsReadAnswer;
  };
  /** Write a data identifier (2E) */
  'uds.write': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsWriteRequest;
    answer: UdsWriteAnswer;
  };
  /** Read diagnostic trouble codes (19) */
  'uds.dtc': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsDtcRequest;
    answer: UdsDtcAnswer;
  };
  /** Clear diagnostic trouble codes (14) */
  'uds.clear': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsClearRequest;
    answer: UdsClearAnswer;
  };
  /** Start or stop a routine, or read its result (31) */
  'uds.routine': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsRoutineRequest;
    answer: UdsRoutineAnswer;
  };
  /** Unlock a security level (27) */
  'uds.security': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsSecurityRequest;
    answer: UdsSecurityAnswer;
  };
  /** Enable or disable messages of an ECU (28) */
  'uds.communication': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsCommunicationRequest;
    answer: UdsCommunicationAnswer;
  };
  /** Let an ECU store DTCs, or not (85) */
  'uds.dtc-setting': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsDtcSettingRequest;
    answer: UdsDtcSettingAnswer;
  };
  /** Control an input or output (2F) */
  'uds.io': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsIoRequest;
    answer: UdsIoAnswer;
  };
  /** Read memory by address (23) */
  'uds.memory-read': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsMemoryReadRequest;
    answer: UdsMemoryReadAnswer;
  };
  /** Write memory by address (3D) */
  'uds.memory-write': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & UdsMemoryWriteRequest;
    answer: UdsMemoryWriteAnswer;
  };
  /** Send TesterPresent (3E 80) periodically, or stop */
  'uds.tester-present': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & TesterPresentRequest;
    answer: DiagnosticLink;
  };
  /** Flash an ECU with an image by a sequence of steps */
  'uds.flash': {
    input: {
      /** ECU: a name of the bench file, or of a link that was opened */
      ecu: string;
    } & FlashRequest;
    answer: Job;
  };
  /** Simulate an ECU that answers diagnostic requests */
  'ecu.serve': {
    input: SimulatedEcuRequest;
    answer: SimulatedEcu;
  };
  /** List the simulated ECUs */
  'ecu.list': {
    input: Record<never, never>;
    answer: {
      simulated_ecus: readonly SimulatedEcu[];
    };
  };
  /** Stop a simulated ECU */
  'ecu.stop': {
    input: {
      /** ID of the simulated ECU */
      ecu_id: string;
    };
    answer: SimulatedEcu;
  };
  /** Run a schedule table of an LDF on a LIN master */
  'lin.schedule-start': {
    input: LinScheduleRequest;
    answer: LinSchedule;
  };
  /** List the LIN schedules */
  'lin.schedule-list': {
    input: Record<never, never>;
    answer: {
      lin_schedules: readonly LinSchedule[];
    };
  };
  /** Switch the table of a LIN schedule */
  'lin.schedule-switch': {
    input: {
      /** Schedule ID, or selector of its channel */
      schedule_id: string;
    } & LinScheduleChange;
    answer: LinSchedule;
  };
  /** Stop a LIN schedule and show its final counters */
  'lin.schedule-stop': {
    input: {
      /** Schedule ID, or selector of its channel */
      schedule_id: string;
    };
    answer: LinSchedule;
  };
  /** Publish the responses of LIN slaves */
  'lin.simulate': {
    input: {
      /** Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F */
      selector: string;
    } & LinSimulationRequest;
    answer: {
      tasks: readonly TxTask[];
    };
  };
  /** Log channels to a trace file */
  'logging.start': {
    input: LoggingStartRequest;
    answer: Logging;
  };
  /** Show the current or last logging session */
  'logging.status': {
    input: Record<never, never>;
    answer: Logging;
  };
  /** Stop logging and complete the file */
  'logging.stop': {
    input: Record<never, never>;
    answer: Logging;
  };
  /** Add a recorder */
  'recorder.add': {
    input: RecorderRequest;
    answer: Recorder;
  };
  /** List the recorders, without their files */
  'recorder.list': {
    input: Record<never, never>;
    answer: {
      recorders: readonly RecorderSummary[];
    };
  };
  /** Show a recorder with its settings and latest files */
  'recorder.show': {
    input: {
      /** Name of the recorder */
      name: string;
    };
    answer: Recorder;
  };
  /** Change the settings of a recorder that is stopped */
  'recorder.update': {
    input: {
      /** Name of the recorder */
      name: string;
    } & RecorderChange;
    answer: Recorder;
  };
  /** Remove a recorder that is stopped, and show its last record */
  'recorder.remove': {
    input: {
      /** Name of the recorder */
      name: string;
    };
    answer: Recorder;
  };
  /** Start a recorder */
  'recorder.start': {
    input: {
      /** Name of the recorder */
      name: string;
    };
    answer: Recorder;
  };
  /** Stop a recorder and complete its file */
  'recorder.stop': {
    input: {
      /** Name of the recorder */
      name: string;
    };
    answer: Recorder;
  };
  /** Download a file of a recorder */
  'recorder.file': {
    input: {
      /** Name of the recorder */
      name: string;
      /** File as the recorder lists it */
      file: string;
    };
    answer: Uint8Array;
  };
  /** Replay a trace on open channels with its original timing */
  'replay.start': {
    input: ReplayStartRequest;
    answer: Replay;
  };
  /** Show the current or last replay */
  'replay.status': {
    input: Record<never, never>;
    answer: Replay;
  };
  /** Stop the replay; frames already accepted by a channel are still sent */
  'replay.stop': {
    input: Record<never, never>;
    answer: Replay;
  };
  /** Forward CAN frames to and from other machines over UDP */
  'remote.start': {
    input: RemoteStartRequest;
    answer: RemoteForwarding;
  };
  /** Show the state and counters of remote forwarding */
  'remote.status': {
    input: Record<never, never>;
    answer: RemoteForwarding;
  };
  /** Stop remote forwarding and show its final counters */
  'remote.stop': {
    input: Record<never, never>;
    answer: RemoteForwarding;
  };
  /** Show the contents of a trace file in the project directory, such as the channels to map for a replay */
  'trace.summary': {
    input: {
      /** Trace file */
      file: string;
    };
    answer: TraceSummary;
  };
  /** Decode the signals of a trace file in the project directory into a table there */
  'trace.decode-job': {
    input: TraceDecodeRequest;
    answer: Job;
  };
  /** Check a trace file in the project directory, or live traffic for a time */
  'check.start': {
    input: CheckRequest;
    answer: Job;
  };
  /** List asynchronous jobs, newest first */
  'job.list': {
    input: Record<never, never>;
    answer: JobList;
  };
  /** Show one job with its result or error */
  'job.show': {
    input: {
      /** Job ID, as returned by the operation that started it */
      job_id: string;
    };
    answer: Job;
  };
  /** Cancel a job */
  'job.cancel': {
    input: {
      /** Job ID, as returned by the operation that started it */
      job_id: string;
    };
    answer: Job;
  };
  /** Run the version operation */
  'execute': {
    input: {
      operation: string;
    };
    answer: Version;
  };
}

/** Where each operation is served, and how its input is sent; remaining fields are the body. */
export const endpoints = {
  'info': { method: 'GET', path: '/api/v1/info' },
  'health': { method: 'GET', path: '/api/v1/health' },
  'capabilities': { method: 'GET', path: '/api/v1/capabilities' },
  'openapi': { method: 'GET', path: '/api/v1/openapi.json' },
  'metrics': { method: 'GET', path: '/metrics' },
  'operation.list': { method: 'GET', path: '/api/v1/operations' },
  'operation.show': { method: 'GET', path: '/api/v1/operations/{operation_id}' },
  'bench.show': { method: 'GET', path: '/api/v1/bench' },
  'device.firmware-check': { method: 'POST', path: '/api/v1/devices/{selector}/firmware-check' },
  'device.list': { method: 'GET', path: '/api/v1/devices' },
  'channel.list': { method: 'GET', path: '/api/v1/channels' },
  'channel.open': { method: 'POST', path: '/api/v1/channels', hasBody: true },
  'channel.show': { method: 'GET', path: '/api/v1/channels/{selector}' },
  'channel.configure': { method: 'PATCH', path: '/api/v1/channels/{selector}', hasBody: true },
  'channel.close': { method: 'DELETE', path: '/api/v1/channels/{selector}' },
  'channel.recover': { method: 'POST', path: '/api/v1/channels/{selector}/recover' },
  'channel.wake': { method: 'POST', path: '/api/v1/channels/{selector}/wake', hasBody: true },
  'channel.stats': { method: 'GET', path: '/api/v1/channels/{selector}/stats' },
  'channel.traffic': { method: 'GET', path: '/api/v1/traffic', query: ['after_us'] },
  'channel.traffic-stream': { method: 'GET', path: '/api/v1/traffic/stream' },
  'state.stream': { method: 'GET', path: '/api/v1/state/stream', query: ['include'] },
  'message.send': { method: 'POST', path: '/api/v1/messages', hasBody: true },
  'message.history': { method: 'GET', path: '/api/v1/messages/history', query: ['channel', 'after', 'id', 'direction', 'decode', 'limit'] },
  'message.stream': { method: 'GET', path: '/api/v1/messages/stream', query: ['channel', 'after', 'id', 'direction', 'decode'] },
  'message.ws': { method: 'GET', path: '/api/v1/messages/ws', query: ['channel', 'after', 'id', 'direction', 'interval_ms'] },
  'condition.check': { method: 'POST', path: '/api/v1/conditions', hasBody: true },
  'tx-task.add': { method: 'POST', path: '/api/v1/tx-tasks', hasBody: true },
  'tx-task.list': { method: 'GET', path: '/api/v1/tx-tasks' },
  'tx-task.set': { method: 'PATCH', path: '/api/v1/tx-tasks/{task_id}', hasBody: true },
  'tx-task.remove': { method: 'DELETE', path: '/api/v1/tx-tasks/{task_id}' },
  'tx-task.message': { method: 'GET', path: '/api/v1/tx-tasks/{task_id}/message' },
  'tx-task.import': { method: 'POST', path: '/api/v1/tx-tasks/import', hasBody: true },
  'route.add': { method: 'POST', path: '/api/v1/routes', hasBody: true },
  'route.list': { method: 'GET', path: '/api/v1/routes' },
  'route.remove': { method: 'DELETE', path: '/api/v1/routes/{route_id}' },
  'modbus.read': { method: 'POST', path: '/api/v1/modbus/read', hasBody: true },
  'modbus.write': { method: 'POST', path: '/api/v1/modbus/write', hasBody: true },
  'modbus.scan': { method: 'POST', path: '/api/v1/modbus/scan', hasBody: true },
  'modbus.serve': { method: 'POST', path: '/api/v1/modbus/serve', hasBody: true },
  'modbus.stop': { method: 'POST', path: '/api/v1/modbus/stop', hasBody: true },
  'modbus.status': { method: 'GET', path: '/api/v1/modbus' },
  'modbus.registers': { method: 'GET', path: '/api/v1/modbus/registers', query: ['network', 'endpoint', 'unit', 'table', 'address', 'reference', 'type', 'order', 'count', 'show'] },
  'modbus.stream': { method: 'GET', path: '/api/v1/modbus/stream', query: ['network', 'endpoint', 'unit', 'table', 'address', 'reference', 'type', 'order', 'count', 'show', 'also'] },
  'database.load': { method: 'POST', path: '/api/v1/databases', hasBody: true },
  'database.list': { method: 'GET', path: '/api/v1/databases' },
  'database.show': { method: 'GET', path: '/api/v1/databases/{name}', query: ['message', 'offset', 'limit', 'signal_offset'] },
  'database.unload': { method: 'DELETE', path: '/api/v1/databases/{name}' },
  'database.reload': { method: 'POST', path: '/api/v1/databases/{name}/reload' },
  'database.attach': { method: 'PUT', path: '/api/v1/channels/{selector}/databases/{name}' },
  'database.detach': { method: 'DELETE', path: '/api/v1/channels/{selector}/databases/{name}' },
  'gateway.validate': { method: 'POST', path: '/api/v1/gateways/validate', hasBody: true },
  'gateway.files': { method: 'GET', path: '/api/v1/gateways/files', query: ['type', 'offset', 'limit'] },
  'file.get': { method: 'GET', path: '/api/v1/files/{file}' },
  'file.put': { method: 'PUT', path: '/api/v1/files/{file}', hasBody: true },
  'file.delete': { method: 'DELETE', path: '/api/v1/files/{file}', query: ['version'] },
  'gateway.import': { method: 'POST', path: '/api/v1/gateways/import', hasBody: true },
  'gateway.load': { method: 'POST', path: '/api/v1/gateways', hasBody: true },
  'gateway.status': { method: 'GET', path: '/api/v1/gateways', query: ['instance', 'offset', 'limit'] },
  'gateway.start': { method: 'POST', path: '/api/v1/gateways/{instance}/start' },
  'gateway.stop': { method: 'POST', path: '/api/v1/gateways/{instance}/stop' },
  'gateway.faults': { method: 'GET', path: '/api/v1/gateways/{instance}/faults', query: ['offset', 'limit'] },
  'gateway.fault-events': { method: 'GET', path: '/api/v1/gateways/{instance}/faults/events', query: ['after', 'limit'] },
  'gateway.fault': { method: 'PUT', path: '/api/v1/gateways/{instance}/faults/{rule}', hasBody: true },
  'gateway.signals': { method: 'GET', path: '/api/v1/gateways/{instance}/signals', query: ['offset', 'limit'] },
  'gateway.set': { method: 'PUT', path: '/api/v1/gateways/{instance}/signals', hasBody: true },
  'gateway.signal': { method: 'GET', path: '/api/v1/gateways/{instance}/signals/{signal}' },
  'gateway.save': { method: 'POST', path: '/api/v1/gateways/{instance}/save', hasBody: true },
  'gateway.unload': { method: 'DELETE', path: '/api/v1/gateways/{instance}' },
  'gateway.stream': { method: 'GET', path: '/api/v1/gateways/{instance}/stream', query: ['also', 'include'] },
  'gateway.graph': { method: 'GET', path: '/api/v1/gateways/{instance}/graph', query: ['offset', 'limit'] },
  'signal.list': { method: 'GET', path: '/api/v1/signals', query: ['offset', 'limit'] },
  'signal.plan-create': { method: 'POST', path: '/api/v1/signals/plans', hasBody: true },
  'signal.plan-delete': { method: 'DELETE', path: '/api/v1/signals/plans/{plan_id}' },
  'signal.latest': { method: 'GET', path: '/api/v1/signals/latest', query: ['plan', 'signal'] },
  'signal.history': { method: 'GET', path: '/api/v1/signals/history', query: ['plan', 'signal', 'after', 'limit'] },
  'signal.stream': { method: 'GET', path: '/api/v1/signals/stream', query: ['plan', 'signal', 'after'] },
  'pdu.history': { method: 'GET', path: '/api/v1/pdus/history', query: ['channel', 'protocol', 'pgn', 'id', 'after', 'limit'] },
  'pdu.stream': { method: 'GET', path: '/api/v1/pdus/stream', query: ['channel', 'protocol', 'pgn', 'id', 'after'] },
  'j1939.send': { method: 'POST', path: '/api/v1/j1939/send', hasBody: true },
  'j1939.claim': { method: 'POST', path: '/api/v1/j1939/claims', hasBody: true },
  'j1939.list': { method: 'GET', path: '/api/v1/j1939/claims', query: ['channel'] },
  'j1939.release': { method: 'DELETE', path: '/api/v1/j1939/claims/{claim_id}' },
  'isotp.list': { method: 'GET', path: '/api/v1/diagnostics' },
  'isotp.open': { method: 'POST', path: '/api/v1/diagnostics', hasBody: true },
  'isotp.show': { method: 'GET', path: '/api/v1/diagnostics/{ecu}' },
  'isotp.close': { method: 'DELETE', path: '/api/v1/diagnostics/{ecu}' },
  'uds.request': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/requests', hasBody: true },
  'uds.session': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/session', hasBody: true },
  'uds.reset': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/reset', hasBody: true },
  'uds.read': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/read', hasBody: true },
  'uds.write': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/write', hasBody: true },
  'uds.dtc': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/dtc', hasBody: true },
  'uds.clear': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/clear', hasBody: true },
  'uds.routine': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/routine', hasBody: true },
  'uds.security': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/security', hasBody: true },
  'uds.communication': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/communication', hasBody: true },
  'uds.dtc-setting': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/dtc-setting', hasBody: true },
  'uds.io': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/io', hasBody: true },
  'uds.memory-read': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/memory-read', hasBody: true },
  'uds.memory-write': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/memory-write', hasBody: true },
  'uds.tester-present': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/tester-present', hasBody: true },
  'uds.flash': { method: 'POST', path: '/api/v1/diagnostics/{ecu}/flash', hasBody: true },
  'ecu.serve': { method: 'POST', path: '/api/v1/simulated-ecus', hasBody: true },
  'ecu.list': { method: 'GET', path: '/api/v1/simulated-ecus' },
  'ecu.stop': { method: 'DELETE', path: '/api/v1/simulated-ecus/{ecu_id}' },
  'lin.schedule-start': { method: 'POST', path: '/api/v1/lin-schedules', hasBody: true },
  'lin.schedule-list': { method: 'GET', path: '/api/v1/lin-schedules' },
  'lin.schedule-switch': { method: 'PATCH', path: '/api/v1/lin-schedules/{schedule_id}', hasBody: true },
  'lin.schedule-stop': { method: 'DELETE', path: '/api/v1/lin-schedules/{schedule_id}' },
  'lin.simulate': { method: 'POST', path: '/api/v1/channels/{selector}/lin-simulation', hasBody: true },
  'logging.start': { method: 'POST', path: '/api/v1/logging', hasBody: true },
  'logging.status': { method: 'GET', path: '/api/v1/logging' },
  'logging.stop': { method: 'DELETE', path: '/api/v1/logging' },
  'recorder.add': { method: 'POST', path: '/api/v1/recorders', hasBody: true },
  'recorder.list': { method: 'GET', path: '/api/v1/recorders' },
  'recorder.show': { method: 'GET', path: '/api/v1/recorders/{name}' },
  'recorder.update': { method: 'PATCH', path: '/api/v1/recorders/{name}', hasBody: true },
  'recorder.remove': { method: 'DELETE', path: '/api/v1/recorders/{name}' },
  'recorder.start': { method: 'POST', path: '/api/v1/recorders/{name}/start' },
  'recorder.stop': { method: 'POST', path: '/api/v1/recorders/{name}/stop' },
  'recorder.file': { method: 'GET', path: '/api/v1/recorders/{name}/files/{file}' },
  'replay.start': { method: 'POST', path: '/api/v1/replay', hasBody: true },
  'replay.status': { method: 'GET', path: '/api/v1/replay' },
  'replay.stop': { method: 'DELETE', path: '/api/v1/replay' },
  'remote.start': { method: 'POST', path: '/api/v1/remote-api', hasBody: true },
  'remote.status': { method: 'GET', path: '/api/v1/remote-api' },
  'remote.stop': { method: 'DELETE', path: '/api/v1/remote-api' },
  'trace.summary': { method: 'GET', path: '/api/v1/traces/summary', query: ['file'] },
  'trace.decode-job': { method: 'POST', path: '/api/v1/traces/decode', hasBody: true },
  'check.start': { method: 'POST', path: '/api/v1/checks', hasBody: true },
  'job.list': { method: 'GET', path: '/api/v1/jobs' },
  'job.show': { method: 'GET', path: '/api/v1/jobs/{job_id}' },
  'job.cancel': { method: 'DELETE', path: '/api/v1/jobs/{job_id}' },
  'execute': { method: 'POST', path: '/api/v1/execute', hasBody: true },
} as const satisfies Record<keyof Operations, object>;
