import { runReference } from './reference.ts';
import type { ScriptEvent, SignalEntry, Snapshot, TaskEntry } from './script.ts';

/** Scripts that a reader takes in at a glance: times are milliseconds after the start. */
const startUs = 1_000_000;
const timeOf = (ms: number): number => startUs + Math.round(1000 * ms);

export const start = (ms = 0): ScriptEvent => ({ kind: 'start', atUs: timeOf(ms) });
export const stop = (ms: number): ScriptEvent => ({ kind: 'stop', atUs: timeOf(ms) });
export const snapshot = (ms: number): ScriptEvent => ({ kind: 'snapshot', atUs: timeOf(ms) });

/** Rounds at each of the times. */
export const rounds = (...times: readonly number[]): ScriptEvent[] =>
  times.map((ms) => ({ kind: 'round', atUs: timeOf(ms) }));

/** A frame with the identifier 0x100 on the endpoint `can`, unless told otherwise. */
export const frame = (
  ms: number,
  hex: string,
  other: Partial<Extract<ScriptEvent, { kind: 'frame' }>> = {},
): ScriptEvent => ({
  kind: 'frame',
  atUs: timeOf(ms),
  endpoint: 'can',
  id: 0x100,
  extended: false,
  data: Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')),
  ...other,
});

export const set = (ms: number, signal: string, value: string): ScriptEvent => ({
  kind: 'set',
  atUs: timeOf(ms),
  signal,
  value,
});

/** What became of the frame of the task `task`. */
export const outcome = (ms: number, sent = true): ScriptEvent => ({
  kind: 'outcome',
  atUs: timeOf(ms),
  task: 'task',
  sent,
});

export const endpoint = (ms: number, up: boolean): ScriptEvent => ({
  kind: 'endpoint',
  atUs: timeOf(ms),
  endpoint: 'can',
  up,
});

export const accepts = (ms: number, isAccepting: boolean): ScriptEvent => ({
  kind: 'accepts',
  atUs: timeOf(ms),
  endpoint: 'can',
  accepts: isAccepting,
});

export const switchRule = (ms: number, rule: string, enabled: boolean): ScriptEvent => ({
  kind: 'switch',
  atUs: timeOf(ms),
  rule,
  enabled,
});

/** A received message 0x100 of eight bytes with one signed input in byte 0. */
export const receiving = {
  endpoints: [{ id: 'can', kind: 'can', network: 'can' }],
  signals: [{ id: 'input', type: 'int64', producer: 'input' }],
  codecs: [{ id: 's8', kind: 'linear', raw: 'signed', bit_length: 8, byte_order: 'intel' }],
  messages: [
    {
      id: 'rx',
      endpoint: 'can',
      direction: 'rx',
      can_id: 0x100,
      length: 8,
      stale_after_ms: 100,
    },
  ],
  bindings: [
    { id: 'input.rx', signal: 'input', direction: 'rx', message: 'rx', codec: 's8', start_bit: 0 },
  ],
} as const;

/** A sent message 0x200 of two bytes with one software signal in byte 0, every 10 ms. */
export const sending = {
  endpoints: receiving.endpoints,
  signals: [{ id: 'value', type: 'int64', producer: 'software', initial: '1' }],
  codecs: receiving.codecs,
  messages: [
    { id: 'tx', endpoint: 'can', direction: 'tx', can_id: 0x200, length: 2, period_ms: 10 },
  ],
  bindings: [
    { id: 'value.tx', signal: 'value', direction: 'tx', message: 'tx', codec: 's8', start_bit: 0 },
  ],
  tx_tasks: [{ id: 'task', message: 'tx' }],
} as const;

/** The same with a task that sends changes. */
export const sendingChanges = (minIntervalMs = 0) => ({
  ...sending,
  tx_tasks: [
    { id: 'task', message: 'tx', policy: 'on_change', min_interval_ms: minIntervalMs },
  ] as const,
});

/** What came out: frames as `10: 0100` (milliseconds and bytes), and the last snapshot. */
export class Result {
  readonly frames: readonly string[];
  readonly snapshots: readonly Snapshot[];

  constructor(project: object, events: readonly ScriptEvent[]) {
    const trace = runReference({ project, events });
    this.frames = trace.frames.map(({ atUs, data }) => `${(atUs - startUs) / 1000}: ${data}`);
    this.snapshots = trace.snapshots;
  }

  signal(id: string, place = -1): SignalEntry {
    const entry = this.snapshots.at(place)?.signals.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`The trace has no signal ${id}`);
    return entry;
  }

  /** Value and quality, such as `90 good`. */
  state(id: string, place = -1): string {
    const { value, quality } = this.signal(id, place);
    return `${value} ${quality}`;
  }

  task(place = -1): TaskEntry {
    const entry = this.snapshots.at(place)?.tasks.find(({ id }) => id === 'task');
    if (entry === undefined) throw new Error('The trace has no task');
    return entry;
  }
}

export const run = (project: object, events: readonly (ScriptEvent | ScriptEvent[])[]): Result =>
  new Result(project, events.flat());

/** When something was observed, in milliseconds after the start. */
export const millisecondsOf = (us: number | null): number | null =>
  us === null ? null : (us - startUs) / 1000;
