const retrying = 'The console keeps trying.';

/** What to do next about a code that a page can meet. */
const nextSteps: Readonly<Record<string, string>> = {
  unreachable: 'Run “busbar web start” there; the console keeps trying.',
  no_answer: '“busbar daemon status” there tells more; the console keeps trying.',
  not_busbar: 'Check the address, and any proxy before the Web service.',
  unauthorized: 'Enter the token that “busbar web start” was given.',
  origin_not_allowed: 'Open the address that “busbar web status” shows.',
  too_many_clients: 'Close consoles and streams that nobody needs.',
  websocket_refused:
    'Close consoles that nobody needs, and let any proxy pass WebSockets; the console keeps trying.',
  token_unfit: 'Start the Web service with a token of letters and digits, and enter that one.',
  connection_lost: 'The console goes on behind the last event as soon as it can.',
  channel_not_open: 'Open the channel on the Overview page first.',
  channel_not_found: 'Refresh, and choose one of the channels that are there.',
  database_not_found: 'Load the database on the page Files and jobs first.',
  network_unbound: 'Bind the network to a port in busbar.bench.json.',
  invalid_argument: 'Correct it and try again.',
  invalid_channel_selector: 'Write it as <serial>/<port>, or give a name, a network or a slot.',
  unsupported_by_hardware: 'Choose something that the port can do.',
  already_running: 'Stop the one that is running first.',
  path_outside_project: 'Name a file inside the project folder of the daemon.',
  file_not_found: 'Check the name; paths start at the project folder of the daemon.',
  already_exists: 'Choose another name, or replace what is there.',
  invalid_database: 'Check the file; the message says where it breaks off.',
  invalid_trace: 'Check the file; ASC, BLF and candump logs are understood.',
  channel_cannot_send: 'Check the mode and the state of the channel on the Overview page.',
  capacity_exceeded: 'Remove something that nobody needs any more first.',
};

export type ErrorDetails = Readonly<Record<string, unknown>>;

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: ErrorDetails;
  readonly retryable?: boolean;
  readonly requestId?: string | null;
}

/** Why a request brought no result, in the words of the service where it gave any. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly details: ErrorDetails;
  /** Asking again cannot help. */
  readonly isFinal: boolean;
  readonly nextStep: string;

  constructor({ code, message, details = {}, retryable = true, requestId = null }: Refusal) {
    super(message);
    this.code = code;
    this.details = details;
    this.isFinal = !retryable;
    this.nextStep =
      nextSteps[code] ??
      (retryable ? retrying : `The daemon’s log has the details: request ${requestId ?? '–'}.`);
  }

  /** Whether the service said nothing, as against a refusal: what a proxy says in its place is nothing. */
  get isSilence(): boolean {
    return ['unreachable', 'no_answer', 'not_busbar'].includes(this.code);
  }

  get isUnauthorized(): boolean {
    return this.code === 'unauthorized';
  }

  /** The field that the service named, if it named one. */
  get field(): string | null {
    return typeof this.details.field === 'string' ? this.details.field : null;
  }
}
