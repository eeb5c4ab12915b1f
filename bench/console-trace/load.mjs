// 20,000 frames/s on the virtual bench. Each is sent on one port and received on another of its
// segment, which makes two events.
const senders = [
  { channel: 'SIM00001/0', frame: '100##11122334455667788' },
  { channel: 'SIM00001/1', frame: '18FF50E5#0000000000000000' },
  { channel: 'SIM00001/2', frame: '200##11122334455667788' },
  { channel: 'SIM00001/3', frame: `300##1${'00'.repeat(32)}` },
];
// Slightly faster than needed, since tasks on a busy machine miss some periods.
const periodUs = 370;

export const loadTasks = senders.map(({ channel, frame }) => [
  'tx-task',
  'add',
  channel,
  frame,
  `--period-us=${periodUs}`,
  '--pattern=increment_data',
]);
