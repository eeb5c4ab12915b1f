import type { Bench } from '../../bench/bench-record.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';

/** An operation that is carried out, by its id, and with what. */
export type Step = readonly [operation: string, input: Readonly<Record<string, unknown>>];

const sender = 'SIM00001/0';
const receiver = 'SIM00001/1';
const unacknowledged = 'SIM00001/2';

/** The networks of the gateway project that is rehearsed too. */
export const rehearsedNetworks = { from: 'segment-a', to: 'segment-b' } as const;

/** The bench of the rehearsal, which goes away with it. */
export const rehearsedBench: Bench = {
  ...builtInBench,
  networks: {
    [rehearsedNetworks.from]: { channel: sender },
    [rehearsedNetworks.to]: { channel: receiver },
  },
};

/** No identifier of the tasks, one of which counts up: two that send the same one disturb each other. */
const foreignId = 0x18ff50e6;
const fast = { bitrate: 1_000_000 };
const cyclic = { channel: sender, period_us: 1000, data: '0011223344556677' };

/** What a client does first, and what then goes on by itself: tasks of the device and of ours. */
export const opening: readonly Step[] = [
  ['channel.open', { channel: sender, ...fast }],
  ['channel.open', { channel: receiver, ...fast }],
  ['tx-task.add', { ...cyclic, id: 0x100, pattern: 'fixed' }],
  ['tx-task.add', { ...cyclic, id: 0x101, pattern: 'increment_data' }],
  ['tx-task.add', { ...cyclic, id: 0x102, pattern: 'increment_id' }],
  ['tx-task.add', { channel: sender, frame: '103#0102', period_us: 1000, pattern: 'random_data' }],
];

/** What clients do meanwhile, on channels that hear each other and on one that no other port hears. */
export const meanwhile: readonly Step[] = [
  ['message.send', { channel: receiver, id: foreignId, extended: true, data: '01' }],
  ['message.send', { channel: receiver, frame: '18FF50E5#DEADBEEF', count: 2, cycle_us: 500 }],
  ['channel.list', {}],
  ['channel.show', { selector: sender }],
  ['tx-task.list', {}],
  ['channel.open', { channel: unacknowledged }],
  ['tx-task.add', { ...cyclic, channel: unacknowledged, id: 0x104, pattern: 'increment_data' }],
  ['message.send', { channel: unacknowledged, frame: '321#0102', count: 4 }],
  ['channel.close', { selector: unacknowledged }],
];

/** Often enough for V8 to take all of it for worth compiling. */
export const rounds = 12;

/** So many frames make the rest of the way hot. */
export const flood: readonly Step[] = [
  [
    'message.send',
    { channel: receiver, id: foreignId, extended: true, data: '0102030405060708', count: 3000 },
  ],
];

export const ending: readonly Step[] = [
  ['tx-task.remove', { task_id: 'task-1' }],
  ['channel.close', { selector: sender }],
  ['channel.close', { selector: receiver }],
];
