import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { formatHex, parseHex } from '../../frame/hex-bytes.ts';
import { drawnTable } from '../../pdu/isotp/testing/rigs.ts';
import { ActiveRequest, type AskOptions } from './active-request.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 64 });
const id = 0x7e8;

const requestWith = (options: AskOptions = {}): ActiveRequest =>
  new ActiveRequest({
    ecu: 'engine',
    request: bytes('22F190'),
    timers: { p2Us: 50, p2StarUs: 5000 },
    timeoutUs: 10_000,
    clock: new FakeClock({ startUs: 0 }),
    own: id,
    ...options,
  });

/** What a call says: whether a payload is no answer. */
type Input = (active: ActiveRequest) => unknown;

const received =
  (payload: string, atUs = 140): Input =>
  (active) =>
    !active.received(bytes(payload), atUs, id);

/** Reports the messages that were kept again, as a link does. */
const sent: Input = (active) => {
  active.sent(100);
  const strays = active.takeEarly().filter(({ from, beganUs, payload, endUs }) => {
    active.began(beganUs, from);
    return payload && !active.received(payload, endUs, from);
  });
  return strays.length > 0;
};

const inputs: Readonly<Record<string, Input>> = {
  sent,
  begins: (active) => active.began(130, id),
  answer: received('62F19041'),
  '0x78': received('7F2278'),
  foreign: received('6E1234'),
  replaced: (active) => active.broke('replaced', 140, id),
  broken: (active) => active.broke('sequence_error', 140, id),
  deadline: (active) => active.expire(active.deadlineUs, false),
  cancel: (active) => active.fail(new BusbarError('operation_cancelled')),
};

const pending: readonly Input[] = [
  sent,
  (active) => active.began(110, id),
  received('7F2278', 120),
];

const states: Readonly<Record<string, readonly Input[]>> = {
  sending: [],
  'early begin': [(active) => active.began(130, id)],
  'early answer': [(active) => active.began(130, id), received('62F19041')],
  'answer before': [(active) => active.began(90, id), received('62F19041')],
  awaiting: pending.slice(0, 1),
  answering: pending.slice(0, 2),
  pending,
  'pending, answering': [...pending, (active) => active.began(130, id)],
  over: [...pending.slice(0, 2), received('62F19041')],
};

const shown = ({ outcome, deadlineUs }: ActiveRequest): string => {
  if (outcome === undefined) return `${deadlineUs}`;
  if (outcome instanceof BusbarError) return outcome.code;
  return outcome.response ? formatHex(outcome.response.payload) : 'silence';
};

/** The deadline, or the outcome; `!` for a payload that is no answer. */
const table = `
state               sent      begins    answer    0x78      foreign   replaced  broken          deadline                  cancel
sending             150       10000     10000!    10000!    10000!    10000     10000           hardware_timeout          operation_cancelled
early begin         10000     10000     10000     10000     10000     10000     10000           hardware_timeout          operation_cancelled
early answer        62F19041  10000     10000!    10000!    10000!    10000     10000           hardware_timeout          operation_cancelled
answer before       150!      10000     10000!    10000!    10000!    10000     10000           hardware_timeout          operation_cancelled
awaiting            150       10000     150!      150!      150!      150       150             no_response               operation_cancelled
answering           10000     10000     62F19041  5140      150!      150       sequence_error  no_response               operation_cancelled
pending             5120      10000     5120!     5120!     5120!     5120      5120            response_pending_timeout  operation_cancelled
pending, answering  10000     10000     62F19041  5140      5120!     5120      sequence_error  response_pending_timeout  operation_cancelled
over                62F19041  62F19041  62F19041  62F19041  62F19041  62F19041  62F19041        62F19041                  62F19041
`;

describe('a request under way', () => {
  it.each(drawnTable(table))('$state, after $input: $expected', ({ state, input, expected }) => {
    const active = requestWith();
    for (const prepare of states[state] ?? []) prepare(active);
    const isOver = active.outcome !== undefined;
    const isStray = inputs[input]?.(active) === true && !isOver;
    expect(`${shown(active)}${isStray ? '!' : ''}`).toBe(expected);
  });

  it('has all states and inputs in the table', () => {
    const rows = drawnTable(table);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(Object.keys(states)));
    expect(new Set(rows.map(({ input }) => input))).toEqual(new Set(Object.keys(inputs)));
    expect(rows).toHaveLength(Object.keys(states).length * Object.keys(inputs).length);
  });

  it.each([
    ['consecutive_frame_timeout', 'consecutive_frame_timeout'],
    ['sequence_error', 'sequence_error'],
    ['response_too_long', 'response_too_long'],
    ['send_timeout', 'hardware_timeout'],
    ['dropped', 'hardware_error'],
  ] as const)('whose reception fails with %s fails with %s', (failure, code) => {
    const active = requestWith();
    active.sent(100);
    active.began(110, id);
    active.broke(failure, 120, id);
    expect(shown(active)).toBe(code);
  });

  it('without UDS takes the first payload that begins after it was sent', () => {
    const active = requestWith({ protocol: 'isotp' });
    active.began(90, id);
    active.received(bytes('01'), 95, id);
    expect([sent(active), shown(active)]).toEqual([true, '150']);
    active.began(110, id);
    active.broke('replaced', 120, id);
    expect(shown(active)).toBe('150');
    active.began(120, id);
    active.received(bytes('02'), 130, id);
    expect(shown(active)).toBe('02');
  });

  it('that wants no response is over when it was sent', () => {
    const active = requestWith({ protocol: 'isotp', wait: false });
    active.sent(100);
    expect(shown(active)).toBe('silence');
  });

  it('that was not sent within timeout_ms names the flow control if that is missing', () => {
    const active = requestWith();
    active.expire(10_000, true);
    expect(shown(active)).toBe('flow_control_timeout');
  });
});
