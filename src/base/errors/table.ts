/**
 * Every error a user of Busbar can meet, declared once. HTTP statuses, exit codes, the OpenAPI
 * document, `help` and the reference are rendered from this table; nothing else names a status.
 */
export interface ErrorRow {
  /** HTTP status of the response that carries the code. */
  readonly status: number;
  /** Exit code of a command that ends with it: 1 failed, 2 wrong command line, 3 no daemon. */
  readonly exit: 1 | 2 | 3;
  /** What happened, in general. Holds no request data, so it may be written to any log. */
  readonly message: string;
  /** Whether the same call may succeed later without being changed. */
  readonly retryable: boolean;
  /** What to do next; the CLI prints it below the message. */
  readonly hint?: string;
}

const rows = {
  invalid_argument: {
    status: 400,
    exit: 2,
    message: 'An argument is missing, unknown, repeated or out of range',
    retryable: false,
    hint: 'busbar help <category> <action> lists every parameter with its range.',
  },
  invalid_channel_selector: {
    status: 400,
    exit: 2,
    message: 'The channel selector is malformed',
    retryable: false,
    hint: 'A port is <sn>/<port> or <uid>/<port>; busbar device list shows them all.',
  },
  unsupported_websocket_subprotocol: {
    status: 400,
    exit: 1,
    message: 'The WebSocket must offer the subprotocol svc.frames.v2',
    retryable: false,
  },
  unknown_command: {
    status: 400,
    exit: 2,
    message: 'There is no such command',
    retryable: false,
    hint: 'busbar help lists all commands.',
  },
  unauthorized: {
    status: 401,
    exit: 1,
    message: 'A valid bearer token is required',
    retryable: false,
    hint: 'Send Authorization: Bearer <token> with the token that web start was given.',
  },
  operation_not_allowed: {
    status: 403,
    exit: 1,
    message: 'This operation cannot be run through execute',
    retryable: false,
    hint: 'Use the operation’s own resource; GET /api/v1/operations names it.',
  },
  origin_not_allowed: {
    status: 403,
    exit: 1,
    message: 'The request comes from another origin or names another host',
    retryable: false,
    hint: 'Open the console at the listener’s own address, or start the Web service with a token.',
  },
  path_outside_project: {
    status: 403,
    exit: 1,
    message: 'The path leads outside the project directory',
    retryable: false,
    hint: 'Files must lie inside the directory that the daemon was started in.',
  },
  channel_not_found: {
    status: 404,
    exit: 1,
    message: 'There is no such channel or port',
    retryable: false,
  },
  database_not_found: {
    status: 404,
    exit: 1,
    message: 'There is no such database',
    retryable: false,
    hint: 'busbar database list shows those that are loaded.',
  },
  device_not_found: {
    status: 404,
    exit: 1,
    message: 'There is no such device',
    retryable: false,
    hint: 'busbar device list shows those there are.',
  },
  file_not_found: {
    status: 404,
    exit: 1,
    message: 'The file or directory does not exist',
    retryable: false,
  },
  job_not_found: { status: 404, exit: 1, message: 'There is no such job', retryable: false },
  message_not_found: {
    status: 404,
    exit: 1,
    message: 'The database has no such message',
    retryable: false,
    hint: 'busbar database show <name> lists its messages.',
  },
  no_sample: {
    status: 404,
    exit: 1,
    message: 'The signal has no sample yet',
    retryable: true,
  },
  operation_not_found: {
    status: 404,
    exit: 1,
    message: 'There is no such operation',
    retryable: false,
    hint: 'GET /api/v1/operations and busbar operation list name all of them.',
  },
  plan_not_found: {
    status: 404,
    exit: 1,
    message: 'There is no such signal plan',
    retryable: false,
    hint: 'Plans end with the Web service; busbar signal list shows those there are.',
  },
  endpoint_not_found: {
    status: 404,
    exit: 1,
    message: 'Nothing is served at this path',
    retryable: false,
    hint: 'GET /api/v1/openapi.json lists every path.',
  },
  route_not_found: {
    status: 404,
    exit: 1,
    message: 'There is no such message route',
    retryable: false,
    hint: 'busbar route list shows those there are.',
  },
  signal_not_found: {
    status: 404,
    exit: 1,
    message: 'The plan or the message has no such signal',
    retryable: false,
  },
  task_not_found: {
    status: 404,
    exit: 1,
    message: 'There is no such transmit task',
    retryable: false,
    hint: 'busbar tx-task list shows those there are.',
  },
  method_not_allowed: {
    status: 405,
    exit: 1,
    message: 'The path does not take this method',
    retryable: false,
    hint: 'The Allow header lists the methods it takes.',
  },
  request_timeout: {
    status: 408,
    exit: 1,
    message: 'The request did not arrive in time',
    retryable: true,
  },
  address_in_use: {
    status: 409,
    exit: 1,
    message: 'Another program listens on this address',
    retryable: true,
    hint: 'Choose another port with --listen=<host:port>; port 0 takes a free one.',
  },
  already_running: {
    status: 409,
    exit: 1,
    message: 'It is running already',
    retryable: false,
    hint: 'Stop it first to start it with other options.',
  },
  already_exists: { status: 409, exit: 1, message: 'It exists already', retryable: false },
  busy: { status: 409, exit: 1, message: 'It is in use', retryable: true },
  capacity_exceeded: {
    status: 409,
    exit: 1,
    message: 'The limit of things held at once is reached',
    retryable: true,
  },
  channel_cannot_send: {
    status: 409,
    exit: 1,
    message: 'The channel cannot send as it is now',
    retryable: true,
    hint: 'details.reason tells why; busbar channel show <channel> shows its mode and state.',
  },
  channel_not_open: {
    status: 409,
    exit: 1,
    message: 'The channel is not open',
    retryable: true,
    hint: 'busbar channel open <channel> opens it.',
  },
  cursor_expired: {
    status: 409,
    exit: 1,
    message: 'The events behind this cursor are no longer kept',
    retryable: false,
    hint: 'Go on from oldest_available - 1 and skip what you have already.',
  },
  file_unavailable: {
    status: 409,
    exit: 1,
    message: 'The file or directory cannot be opened',
    retryable: false,
  },
  listen_failed: {
    status: 409,
    exit: 1,
    message: 'The address cannot be listened on',
    retryable: false,
  },
  firmware_index_missing: {
    status: 409,
    exit: 1,
    message: 'The bench names no firmware index',
    retryable: false,
    hint: 'Set firmware_index in busbar.bench.json to a file or an address.',
  },
  network_unbound: {
    status: 409,
    exit: 1,
    message: 'The logical network is not bound to a physical channel',
    retryable: false,
    hint: 'Bind it under networks in busbar.bench.json.',
  },
  operation_cancelled: {
    status: 409,
    exit: 1,
    message: 'The operation was cancelled before it was complete',
    retryable: true,
  },
  web_not_running: {
    status: 409,
    exit: 1,
    message: 'The Web service is not running',
    retryable: true,
    hint: 'busbar web start starts it.',
  },
  payload_too_large: {
    status: 413,
    exit: 1,
    message: 'The request body is larger than the limit',
    retryable: false,
  },
  unsupported_media_type: {
    status: 415,
    exit: 1,
    message: 'Request bodies must be application/json in UTF-8',
    retryable: false,
  },
  invalid_bench: {
    status: 422,
    exit: 1,
    message: 'The bench file is not valid',
    retryable: false,
    hint: 'details.problems names every field at fault.',
  },
  invalid_database: {
    status: 422,
    exit: 1,
    message: 'The database file cannot be trusted',
    retryable: false,
    hint: 'details tells the line and column at fault.',
  },
  invalid_firmware_index: {
    status: 422,
    exit: 1,
    message: 'The firmware index cannot be read',
    retryable: false,
    hint: 'The message names the place that is wrong.',
  },
  invalid_trace: {
    status: 422,
    exit: 1,
    message: 'The file is not a trace that can be read',
    retryable: false,
    hint: 'ASC, BLF and candump logs are read; busbar trace info tells what a file holds.',
  },
  unsupported_by_hardware: {
    status: 422,
    exit: 1,
    message: 'The hardware cannot do this',
    retryable: false,
    hint: 'The device snapshot lists what each port can do.',
  },
  headers_too_large: {
    status: 431,
    exit: 1,
    message: 'The request line and headers are larger than the limit',
    retryable: false,
  },
  internal_error: {
    status: 500,
    exit: 1,
    message: 'Busbar failed in a way it should not',
    retryable: false,
    hint: 'The daemon’s log has the details; please report them.',
  },
  output_failed: {
    status: 500,
    exit: 1,
    message: 'The answer cannot be written',
    retryable: true,
    hint: 'The disk or the program behind the output takes no more.',
  },
  response_too_large: {
    status: 500,
    exit: 1,
    message: 'The answer is larger than the limit for responses',
    retryable: false,
    hint: 'Ask for a smaller page.',
  },
  hardware_error: {
    status: 502,
    exit: 1,
    message: 'The device failed or is gone',
    retryable: true,
  },
  firmware_index_unreachable: {
    status: 502,
    exit: 1,
    message: 'The firmware index cannot be reached',
    retryable: true,
  },
  modbus_exception: {
    status: 502,
    exit: 1,
    message: 'The Modbus server answered with an exception',
    retryable: false,
    hint: 'details.exception holds its code.',
  },
  modbus_unreachable: {
    status: 502,
    exit: 1,
    message: 'The Modbus link could not be made or broke',
    retryable: true,
  },
  too_many_clients: {
    status: 503,
    exit: 1,
    message: 'The limit of simultaneous clients is reached',
    retryable: true,
  },
  daemon_unreachable: {
    status: 503,
    exit: 3,
    message: 'The daemon cannot be reached',
    retryable: true,
    hint: 'busbar daemon status tells whether one is running.',
  },
  daemon_start_failed: {
    status: 503,
    exit: 3,
    message: 'The daemon could not be started',
    retryable: false,
  },
  version_mismatch: {
    status: 503,
    exit: 3,
    message: 'The running daemon is of another version',
    retryable: false,
    hint: 'busbar daemon stop ends the old one; the next start uses this version.',
  },
  hardware_timeout: {
    status: 504,
    exit: 1,
    message: 'The hardware did not answer in time',
    retryable: true,
  },
  modbus_timeout: {
    status: 504,
    exit: 1,
    message: 'The Modbus server did not answer in time',
    retryable: true,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof rows;

export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = rows;

export const errorCodes = Object.keys(rows) as readonly ErrorCode[];

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(rows, text);
