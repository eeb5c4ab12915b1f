import type { ApiError } from './api-error.ts';

/** Advice by error code. If it has no full stop, a note on retrying is appended. */
const nextSteps: Readonly<Record<string, string>> = {
  unreachable: 'Run “busbar web start” on that machine',
  no_answer: 'Check “busbar daemon status” on that machine',
  not_busbar: 'Check the address and any proxy in front of the Web service.',
  unauthorized: 'Enter the token that the Web service was started with.',
  origin_not_allowed: 'Open the address that “busbar web status” shows.',
  too_many_clients: 'Close unused consoles and streams.',
  websocket_refused: 'Close unused consoles, and check that any proxy forwards WebSockets',
  token_unfit: 'Start the Web service with a token of letters and digits, then enter that token.',
  connection_lost: 'The console resumes after the last event when the connection is back.',
  worker_missing: 'Reload the page if the service was updated',
  streams_missing: 'Reload the page if the service was updated',
  too_many_streams: 'Close unused console windows.',
  too_many_long_requests: 'Wait until one of them finishes, here or in another tab.',
  channel_not_open: 'Open the channel on the Channels page first.',
  channel_not_found: 'Refresh, then select an existing channel.',
  database_not_found: 'Load the database on the Files page first.',
  network_unbound: 'Bind the network to a port in busbar.bench.json.',
  invalid_argument: 'Correct the value and try again.',
  invalid_channel_selector: 'Use <serial>/<port>, a channel name, a network or a slot.',
  unsupported_by_hardware: 'Choose a setting that the port supports.',
  already_running: 'Stop the running one first.',
  path_outside_project: 'Choose a file inside the project folder of the daemon.',
  file_not_found: 'Check the name. Paths are relative to the project folder of the daemon.',
  file_unavailable: 'Check that the file can be read, and choose it again.',
  already_exists: 'Choose another name, or replace the existing one.',
  invalid_database: 'Check the file at the position in the message.',
  unsupported_database: 'Convert the file to DBC or LDF.',
  message_not_found: 'Attach a database that has the message on the Channels page.',
  ambiguous_message: 'Choose the database of the message.',
  invalid_trace: 'Check the file. Supported formats are ASC, BLF, MF4 and candump.',
  recorder_not_found: 'Refresh: it was removed already.',
  instance_not_found: 'Select another instance, or load this one again.',
  instance_running: 'Stop the instance first.',
  invalid_project: 'Correct the problems in the table.',
  output_conflict: 'Stop the instance that sends the message, or remove the task from one project.',
  signal_not_writable: 'Set the source signal instead.',
  missing_cycle: 'Choose how messages without a cycle time are sent.',
  channel_cannot_send: 'Check the mode and state of the channel on the Channels page.',
  capacity_exceeded: 'Remove what is no longer needed first.',
  ecu_not_found: 'Select another ECU, or open a link to this one.',
  no_response: 'Check that the ECU is powered, and the identifiers and bus of its link',
  response_pending_timeout:
    'The ECU is still busy, or needs a longer P2*. Read its state, then try again.',
  flow_control_timeout: 'Check the identifiers of the link: the ECU did not take the first frame',
  flow_control_overflow: 'Send a shorter request: the ECU has no room for this one.',
  consecutive_frame_timeout: 'Check the frames on the Trace page',
  sequence_error: 'Check the frames on the Trace page',
  response_too_long: 'Open the link with a longer max response.',
  unexpected_response: 'Check the frames on the Trace page',
  simulated_ecu_not_found: 'Refresh: it was stopped already.',
  invalid_diagnostics_file: 'Correct the file at the position in the message.',
};

/** Advice for an error. Separate from ApiError, because workers show none. */
export const nextStep = ({ code, isFinal, requestId, isRetried }: ApiError): string => {
  const step = nextSteps[code];
  if (step?.endsWith('.')) return step;
  if (step) return `${step}; ${isRetried ? 'the console keeps trying.' : 'then try again.'}`;
  if (isFinal) return `See request ${requestId ?? '–'} in the daemon log.`;
  return isRetried ? 'The console keeps trying.' : 'Try again.';
};
