import type { ApiError } from './api-error.ts';

/** What to do next about a code that a page can meet; without a full stop where that is to be tried again. */
const nextSteps: Readonly<Record<string, string>> = {
  unreachable: 'Run “busbar web start” there',
  no_answer: '“busbar daemon status” there tells more',
  not_busbar: 'Check the address, and any proxy before the Web service.',
  unauthorized: 'Enter the token that “busbar web start” was given.',
  origin_not_allowed: 'Open the address that “busbar web status” shows.',
  too_many_clients: 'Close consoles and streams that are not needed.',
  websocket_refused: 'Close consoles that are not needed, and let any proxy pass WebSockets',
  token_unfit: 'Start the Web service with a token of letters and digits, and enter that one.',
  connection_lost: 'The console goes on behind the last event as soon as it can.',
  worker_missing: 'Load the console again if the service was replaced meanwhile',
  streams_missing: 'Load the console again if the service was replaced meanwhile',
  too_many_streams: 'Close windows of the console that are not needed.',
  too_many_long_requests: 'Wait until one of them is done, here or in another tab.',
  channel_not_open: 'Open the channel on the Channels page first.',
  channel_not_found: 'Refresh, and choose one of the channels that are there.',
  database_not_found: 'Load the database on the page Files first.',
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
  instance_not_found: 'Choose another instance, or load it again.',
  instance_running: 'Stop the instance first.',
  invalid_project: 'Correct the project; the table says where.',
  output_conflict: 'Stop the instance that sends it, or take the task out of one project.',
  signal_not_writable: 'Set the signal that it comes from.',
  missing_cycle: 'Say when messages without a period are sent.',
  channel_cannot_send: 'Check the mode and the state of the channel on the Channels page.',
  capacity_exceeded: 'Remove something that is not needed any more first.',
};

/** What to do next about an error. Workers meet errors too, and show no advice. */
export const nextStep = ({ code, isFinal, requestId, isRetried }: ApiError): string => {
  const step = nextSteps[code];
  if (step?.endsWith('.')) return step;
  if (step) return `${step}; ${isRetried ? 'the console keeps trying.' : 'then try again.'}`;
  if (isFinal) return `The daemon’s log has the details: request ${requestId ?? '–'}.`;
  return isRetried ? 'The console keeps trying.' : 'Try again.';
};
