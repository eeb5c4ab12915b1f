// 20,000 frames a second over the virtual bench. Each is sent on one port and received on another of
// its segment, which makes two events.
const senders = [
  { channel: 'SIM00001/0', frame: '100##11122334455667788' },
  { channel: 'SIM00001/1', frame: '18FF50E5#0000000000000000' },
  { channel: 'SIM00001/2', frame: '200##11122334455667788' },
  { channel: 'SIM00001/3', frame: `300##1${'00'.repeat(32)}` },
];
// A little more than asked for, since tasks on a busy machine miss some of their periods.
const periodUs = 370;

/** The arguments of the commands that begin the load. */
export const loadTasks = senders.map(({ channel, frame }) => [
  'tx-task',
  'add',
  channel,
  frame,
  `--period-us=${periodUs}`,
  '--pattern=increment_data',
]);
