import type { ModbusTable } from './project.ts';
import { runReference } from './reference.ts';
import type {
  Failure,
  ReadRequest,
  ScriptEvent,
  SignalEntry,
  Snapshot,
  TaskEntry,
  WriteStep,
} from './script.ts';

/** Short scripts: times are milliseconds after the start. */
const startUs = 1_000_000;
const timeOf = (ms: number): number => startUs + Math.round(1000 * ms);

export const start = (ms = 0): ScriptEvent => ({ kind: 'start', atUs: timeOf(ms) });
export const stop = (ms: number): ScriptEvent => ({ kind: 'stop', atUs: timeOf(ms) });
export const snapshot = (ms: number): ScriptEvent => ({ kind: 'snapshot', atUs: timeOf(ms) });

/** Rounds at each of the times. */
export const rounds = (...times: readonly number[]): ScriptEvent[] =>
  times.map((ms) => ({ kind: 'round', atUs: timeOf(ms) }));

/** A frame with the identifier 0x100 on the endpoint `can` by default. */
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

/** Outcome of the frame or request group of the task `task`. */
export const outcome = (ms: number, sent = true, error?: Failure): ScriptEvent => ({
  kind: 'outcome',
  atUs: timeOf(ms),
  task: 'task',
  sent,
  ...(error === undefined ? {} : { error }),
});

export const endpoint = (ms: number, up: boolean, id = 'can'): ScriptEvent => ({
  kind: 'endpoint',
  atUs: timeOf(ms),
  endpoint: id,
  up,
});

export const accepts = (ms: number, isAccepting: boolean, id = 'can'): ScriptEvent => ({
  kind: 'accepts',
  atUs: timeOf(ms),
  endpoint: id,
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

/** The same with a task that sends on change. */
export const sendingChanges = (minIntervalMs = 0) => ({
  ...sending,
  tx_tasks: [
    { id: 'task', message: 'tx', policy: 'on_change', min_interval_ms: minIntervalMs },
  ] as const,
});

/** A response to the read of input register 0 every 10 ms by default. */
export const answer = (
  ms: number,
  items: readonly number[],
  other: Partial<ReadRequest> = {},
): ScriptEvent => ({ kind: 'poll', atUs: timeOf(ms), ...registerRead, ...other, items });

/** An exception instead. */
export const refusal = (ms: number, other: Partial<ReadRequest> = {}): ScriptEvent => ({
  kind: 'poll',
  atUs: timeOf(ms),
  ...registerRead,
  ...other,
  exception: true,
});

const registerRead: ReadRequest = {
  endpoint: 'unit',
  table: 'input',
  address: 0,
  count: 1,
  pollMs: 10,
};

/** A client writes holding registers, or coils. */
export const clientWrite = (
  ms: number,
  address: number,
  items: readonly number[],
  table: 'holding' | 'coil' = 'holding',
): ScriptEvent => ({
  kind: 'client_write',
  atUs: timeOf(ms),
  endpoint: 'server',
  table,
  address,
  items,
});

/** The request group of the task `task` starts transmission. */
export const started = (ms: number): ScriptEvent => ({
  kind: 'started',
  atUs: timeOf(ms),
  task: 'task',
});

const registerCodecs = [
  { id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16, invalid_raw: '65535' },
  { id: 'u32', kind: 'linear', raw: 'unsigned', bit_length: 32, word_order: 'CDAB' },
  { id: 'flag', kind: 'linear', raw: 'bool' },
] as const;

/** An input register 0 that is polled every 10 ms; values hold for 30 ms. */
export const polling = {
  endpoints: [{ id: 'unit', kind: 'modbus', role: 'client', network: 'line', node: 1 }],
  signals: [{ id: 'input', type: 'int64', producer: 'input', initial: '7' }],
  codecs: registerCodecs,
  modbus_resources: [
    { id: 'reg', endpoint: 'unit', table: 'input', address: 0, access: 'poll', poll_ms: 10 },
  ],
  bindings: [{ id: 'input.rx', signal: 'input', direction: 'rx', resource: 'reg', codec: 'u16' }],
} as const;

/** A holding register 4 that is written every 10 ms. */
export const writing = {
  endpoints: polling.endpoints,
  signals: [{ id: 'value', type: 'int64', producer: 'software', initial: '1' }],
  codecs: registerCodecs,
  modbus_resources: [
    { id: 'reg', endpoint: 'unit', table: 'holding', address: 4, access: 'write' },
  ],
  bindings: [{ id: 'value.tx', signal: 'value', direction: 'tx', resource: 'reg', codec: 'u16' }],
  tx_tasks: [{ id: 'task', resources: ['reg'], period_ms: 10 }],
} as const;

/** A server: the holding registers 0 and 1 are one setpoint, the input register 8 mirrors it. */
export const serving = {
  endpoints: [{ id: 'server', kind: 'modbus', role: 'server', network: 'plc', node: 1 }],
  signals: [{ id: 'setpoint', type: 'int64', producer: 'input', initial: '65538' }],
  codecs: registerCodecs,
  modbus_resources: [
    { id: 'in', endpoint: 'server', table: 'holding', address: 0, count: 2, access: 'external' },
    { id: 'out', endpoint: 'server', table: 'input', address: 8, access: 'serve' },
  ],
  bindings: [
    { id: 'setpoint.rx', signal: 'setpoint', direction: 'rx', resource: 'in', codec: 'u32' },
    { id: 'setpoint.tx', signal: 'setpoint', direction: 'tx', resource: 'out', codec: 'u16' },
  ],
} as const;

/** The request in the notation of these tests, such as `6@4 [1]` or `3@4+1 6@4 [1]/[3]`. */
const stepText = (step: WriteStep): string => {
  const write = `${step.function}@${step.address} [${step.items}]`;
  if (!('reads' in step)) return write;
  const reads = step.reads.map(({ address, count }) => `3@${address}+${count}`);
  return `${reads.join(' ')} ${write}/[${step.masks}]`;
};

/** Output: frames as `10: 0100` (milliseconds and bytes), and the last snapshot. */
export class Result {
  readonly frames: readonly string[];
  /** Request groups as `10: 6@4 [1]`. */
  readonly groups: readonly string[];
  /** Exception codes returned to clients; 0 for success. */
  readonly answers: readonly number[];
  readonly snapshots: readonly Snapshot[];

  constructor(project: object, events: readonly ScriptEvent[]) {
    const trace = runReference({ project, events });
    this.frames = trace.frames.map(({ atUs, data }) => `${(atUs - startUs) / 1000}: ${data}`);
    this.groups = trace.groups.map(
      ({ atUs, steps }) => `${(atUs - startUs) / 1000}: ${steps.map(stepText).join('; ')}`,
    );
    this.answers = trace.answers.map(({ exception }) => exception);
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

  /** Content of a server at an address of a table. */
  item(table: ModbusTable, address: number, place = -1): number | undefined {
    const { registers = [] } = this.snapshots.at(place) ?? {};
    return registers.find((one) => one.table === table && one.address === address)?.item;
  }

  task(place = -1): TaskEntry {
    const entry = this.snapshots.at(place)?.tasks.find(({ id }) => id === 'task');
    if (entry === undefined) throw new Error('The trace has no task');
    return entry;
  }
}

export const run = (project: object, events: readonly (ScriptEvent | ScriptEvent[])[]): Result =>
  new Result(project, events.flat());

/** Observation time, in milliseconds after the start. */
export const millisecondsOf = (us: number | null): number | null =>
  us === null ? null : (us - startUs) / 1000;
