import { describe, expect, it } from 'vitest';
import { databaseForConditions } from '../condition/condition-context.ts';
import { storyOf } from '../condition/testing/story.ts';
import { aSignal } from '../database/testing/a-signal.ts';
import { aMessage } from '../signal/testing/models.ts';
import { batchOf } from '../trace/testing/trace-events.ts';
import type { CheckEntry } from './check-file.ts';
import type { CheckResult } from './check-record.ts';
import { type CheckContext, CheckRun } from './check-run.ts';
import { parseChecks } from './parse-check.ts';

const engine = aMessage([
  aSignal({ name: 'Speed', length: 16, factor: '0.1', unit: 'rpm' }),
  aSignal({ name: 'Counter', startBit: 16, length: 4 }),
]);
const hours: typeof engine = {
  ...aMessage(
    [aSignal({ name: 'Total', length: 16 }), aSignal({ name: 'Count', startBit: 72, length: 4 })],
    10,
  ),
  ...{ name: 'Hours', id: 0x18fee5fe, extended: true, pgn: 0xfee5 },
};
const database = databaseForConditions('engine', { format: 'dbc', messages: [engine, hours] });

/** A broadcast of 10 bytes in two packets. */
const broadcast = (ms: number, first: string, last: string): string =>
  [
    `${ms} 18ECFF00#200A0002FFE5FE00`,
    `${ms + 1} 18EBFF00#01${first}000000000000`,
    `${ms + 2} 18EBFF00#020000${last}FFFFFFFF`,
  ].join(', ');
const context: CheckContext = {
  databases: [database],
  databasesOf: () => [database],
  isChannel: (selector, key) => selector === String(key),
  ratesOf: () => ({ bitrate: 500_000, dataBitrate: 2_000_000 }),
};

const runOf = (entry: CheckEntry | string, given = context): CheckRun => {
  const entries = [typeof entry === 'string' ? { check: entry } : entry];
  return new CheckRun(parseChecks(entries), given);
};

/** The result of a check over a story; `wait` only lets time pass. */
const judge = (entry: CheckEntry | string, story: string, given = context): CheckResult => {
  const run = runOf(entry, given);
  for (const { ms, event } of storyOf(story)) {
    if (typeof event !== 'string') run.take(batchOf([event]));
    else if (event === 'gap') run.gap(3);
    else run.advance(ms * 1e6);
  }
  run.end();
  return run.results[0] as CheckResult;
};

const e2e = {
  check: 'e2e 124',
  codec: {
    profile: 'free',
    counter: { start_bit: 0, bit_length: 4, byte_order: 'intel', max: '14' },
    checksum: { start_bit: 8, bit_length: 8, byte_order: 'intel', algorithm: 'xor8' },
  },
} as const satisfies CheckEntry;

describe('A check judges', () => {
  it.each<[CheckEntry | string, string, string, string | null]>([
    ['cycle 123 10ms +-10%', '0 123#, 10 123#, 21 123#, 30 123#', 'passed', null],
    [
      'cycle 123 10ms +-10%',
      '0 123#, 11.001 123#',
      'failed',
      '11.001 ms after the frame before, not 9 ms to 11 ms',
    ],
    ['cycle 123 10ms +-1ms', '0 123#, 8.999 123#', 'failed', '8.999 ms after'],
    ['cycle Engine 10ms +-1ms', '0 123#, 10 123#, 10 124#', 'passed', null],
    ['cycle 123 10ms +-1ms', '0 124#, 10 124#', 'not_observed', 'No frame of 123'],
    ['cycle 123 10ms +-1ms', '0 123#, 11 124#', 'not_observed', 'Only one frame of 123'],
    ['cycle 123 10ms +-1ms', '0 123#, 10 123#, 21.5 124#', 'failed', 'No frame for 11.5 ms'],
    ['cycle 123 10ms +-1ms', '0 123#, 10 123#, 21 wait', 'passed', null],
    [
      'cycle 123 10ms +-1ms',
      '0 123#, 10 123#, 11 gap, 50 123#, 60 123#',
      'not_observed',
      'events are missing',
    ],
    ['cycle 123 10ms +-1ms', '0 123#, 10 123#, 11 gap, 50 123#, 65 123#', 'failed', '15 ms after'],
    ['cycle 123 10ms +-1ms on 2', '0 2/123#, 10 2/123#, 11 123#', 'passed', null],
    ['cycle 123 10ms +-1ms on 2', '0 123#, 10 123#', 'not_observed', 'No frame of 123'],
    [
      'counter Engine.Counter max 2',
      '0 123#000000, 1 123#000001, 2 123#000002, 3 123#000000',
      'passed',
      null,
    ],
    ['counter Engine.Counter', '0 123#00000E, 1 123#00000F, 2 123#000000', 'passed', null],
    [
      'counter Engine.Counter max 14',
      '0 123#00000E, 1 123#00000F',
      'failed',
      '15, above the maximum 14',
    ],
    ['counter Engine.Counter max 14', '0 123#000001, 1 123#000001', 'failed', '1 after 1, not 2'],
    [
      'counter Engine.Counter max 14',
      '0 123#000001, 1 gap, 2 123#000009, 3 123#00000A',
      'not_observed',
      'events are missing',
    ],
    ['counter 123.Counter max 14', '0 123#000001, 1 123#00', 'not_observed', 'Fewer than two'],
    ['counter 123.Counter max 14', '0 123#000001, 1 123#000003', 'failed', '3 after 1, not 2'],
    ['value Engine.Speed in -1..0.3', '0 123#0000, 1 123#0300, 2 123#00', 'passed', null],
    ['value Engine.Speed in -1..0.3', '0 123#0400', 'failed', '0.4 rpm, not -1 to 0.3'],
    ['value Engine.Speed in 0.3..1', '0 123#0300', 'passed', null],
    ['value Engine.Speed in 0.3..1', '0 124#0300', 'not_observed', 'No value of Engine.Speed'],
    ['value Engine.Speed in 0..1', '0 123#0300, 1 gap', 'not_observed', 'events are missing'],
    ['value Engine.Speed in 0..1', '0 123#F300, 1 gap', 'failed', '24.3 rpm'],
    ['value Hours.Total in 0..4', broadcast(0, '04', '00'), 'passed', null],
    ['value Hours.Total in 0..4', broadcast(0, '05', '00'), 'failed', '5, not 0 to 4'],
    ['value Hours.Total in 0..4', '0 18FEE500#0500', 'failed', '5, not 0 to 4'],
    ['value 18FEE500.Total in 0..4', broadcast(0, '05', '00'), 'failed', '5, not 0 to 4'],
    [
      'value Hours.Total in 0..4',
      `${broadcast(0, '05', '00').replace(/, 2 .*/, '')}, 2 gap, 3 18EBFF00#020000`,
      'not_observed',
      'No value of Hours.Total; events are missing',
    ],
    [
      'counter Hours.Count',
      `${broadcast(0, '00', '01')}, ${broadcast(10, '00', '02')}`,
      'passed',
      null,
    ],
    [
      'counter Hours.Count',
      `${broadcast(0, '00', '01')}, ${broadcast(10, '00', '03')}`,
      'failed',
      '3 after 1, not 2',
    ],
    ['never signal Hours.Total > 4', broadcast(0, '04', '00'), 'passed', null],
    ['never signal Hours.Total > 4', broadcast(0, '05', '00'), 'failed', 'became true'],
    ['cycle Hours 10ms +-1ms', broadcast(0, '05', '00'), 'not_observed', 'No frame of Hours'],
    [e2e, '0 124#0101, 1 124#0202, 2 124#0303', 'passed', null],
    [e2e, '0 124#0101, 1 124#0202, 2 124#0202', 'failed', 'The frame is repeated'],
    [e2e, '0 124#0101, 1 124#0303', 'failed', 'The counter is out of sequence'],
    [e2e, '0 124#0102', 'failed', 'Wrong checksum'],
    [e2e, '0 124#0101, 1 gap, 2 124#0707', 'not_observed', 'events are missing'],
    [e2e, '0 125#0101', 'not_observed', 'No frame of 124'],
    ['answer 7E0#22F1 with 7E8#62F1 within 50ms', '0 7E0#22F190, 50 7E8#62F190', 'passed', null],
    [
      'answer 7E0#0322 with 7E8#??62 within 50ms',
      '0 7E0#0322F1, 50.001 7E8#0762F1',
      'failed',
      'No answer within 50ms',
    ],
    [
      'answer 7E0#03 with 7E8#?762 within 50ms',
      '0 7E0#03, 5 7E8#0863, 60 1#',
      'failed',
      'No answer',
    ],
    ['answer 7E0#03 with 7E8#07 within 50ms', '0 7E0#03, 49 1#', 'not_observed', 'whose time'],
    ['answer 7E0#03 with 7E8#07 within 50ms', '0 7E0#04, 49 7E8#07', 'not_observed', 'No request'],
    ['answer 7E0#03 with 7E8#07 within 50ms', '0 7E0#03, 1 gap, 99 1#', 'not_observed', 'missing'],
    ['answer 7E0#03 with 7E8#07 within 5ms', '0 7E0#03, 9 wait', 'failed', 'No answer'],
    ['answer 7E0# with 7E8# within 5ms', '0 7E0#, 1 7E0#, 2 7E8#, 5.5 7E8#', 'passed', null],
    ['answer 7E0# with 7E8# within 5ms', '0 7E0#, 1 7E0#, 2 7E8#, 6.5 7E8#', 'failed', 'No answer'],
    ['never frame 123', '0 124#, 1 125#', 'passed', null],
    ['never frame 123', '0 124#, 1 123#', 'failed', 'The condition became true'],
    ['never frame 123', '0 124#, 1 gap', 'not_observed', 'events are missing'],
    ['never frame 123', '0 124#, 1 123#, 2 gap', 'failed', 'The condition became true'],
    ['never frame 123', '', 'not_observed', 'No events'],
    ['never signal Engine.Speed > 1', '0 124#', 'not_observed', 'No frame of Engine'],
    ['never signal Engine.Speed > 1', '0 123#0A00', 'passed', null],
    ['never signal Engine.Speed > 1', '0 123#0B00', 'failed', 'became true'],
    ['never silence 123 5ms', '0 123#, 4 123#, 8 124#', 'passed', null],
    ['never silence 123 5ms', '0 123#, 4 123#, 9 124#', 'failed', 'became true'],
    ['never silence 123 5ms', '0 123#, 6 wait', 'failed', 'became true'],
    ['never error on 1', '0 124#, 1 error', 'failed', 'became true'],
    ['never error on 1', '0 2/124#, 1 2/error', 'not_observed', 'No events'],
    ['never gap', '0 124#', 'passed', null],
    ['never gap', '', 'not_observed', 'No events'],
    ['never gap', '0 124#, 1 gap, 2 gap', 'failed', '3 events are missing here, and 1 more'],
    ['load < 60%', '0 124#, 1000 124#', 'passed', null],
    ['load < 60%', '0 124#, 999 124#', 'not_observed', 'No whole second'],
    ['load < 60%', '0 124#, 999 gap, 2000 124#, 2500 124#', 'not_observed', 'missing'],
    ['load < 60%', '0 124#, 999 gap, 2000 124#, 3500 124#', 'not_observed', 'missing'],
    ['order 123 then 124 within 5ms', '0 123#, 5 124#, 6 123#, 7 124#', 'passed', null],
    ['order 123 then 124 within 5ms', '0 124#, 1 123#, 2 124#, 8 123#', 'passed', null],
    ['order 123 then 124 within 5ms', '0 123#, 5.1 124#', 'failed', 'No 124 within 5 ms after 123'],
    ['order 123 then 124 within 5ms', '0 123#, 1 123#', 'failed', '123 again before 124'],
    [
      'order 123 then 124 within 5ms',
      '0 123#, 1 124#, 2 124#',
      'failed',
      '124 without 123 before it',
    ],
    ['order 123 then 124 within 5ms', '0 124#, 1 124#', 'not_observed', 'No 123 with 124'],
    ['order 123 then 124 within 5ms', '0 123#, 1 gap, 9 124#', 'not_observed', 'missing'],
    [
      'order frame 123 data 01 then frame 123 data 02 within 5ms',
      '0 123#01, 2 123#03, 5 123#02',
      'passed',
      null,
    ],
    [
      'order Engine then silence 123 5ms within 6ms on 1',
      '0 123#, 5 124#, 20 123#, 25 2/123#',
      'passed',
      null,
    ],
  ])('%j over %s as %s', (entry, story, verdict, reason) => {
    const result = judge(entry, story);
    expect(result.verdict).toBe(verdict);
    if (reason === null) expect(result.reason).toBeNull();
    else expect(result.reason).toContain(reason);
  });
});

describe('The result of a check', () => {
  const late = Array.from({ length: 13 }, (_, at) => `${at * 20} 123#0A`).join(', ');

  it('lists the first ten violations with their events and counts the others', () => {
    const { violation_total, violations } = judge('cycle 123 10ms +-1ms', late);
    expect(violation_total).toBe(12);
    expect(violations.map(({ time_us, event }) => [time_us, event])).toEqual(
      Array.from({ length: 10 }, (_, at) => [(at + 1) * 20_000, at + 2]),
    );
  });

  it('cuts five events before a violation and three after it, of the same channel', () => {
    const story = `${late}, 245 2/124#, 249 123#0B, 259 123#, 262 2/124#, 269 123#, 279 123#, 289 123#`;
    const { violations } = judge('value Engine.Speed in 0..1', `${story}, 290 123#FFFF, 291 123#`);
    const [{ excerpt } = { excerpt: [] }] = violations;
    expect(violations).toHaveLength(1);
    expect(excerpt.map(({ time_us, is_violation }) => [time_us / 1000, is_violation])).toEqual([
      [249, false],
      [259, false],
      [269, false],
      [279, false],
      [289, false],
      [290, true],
      [291, false],
    ]);
    expect(excerpt[5]).toMatchObject({ channel: 1, text: '123#FFFF' });
  });

  it('has event ids if the events have them', () => {
    const run = runOf('never frame 124');
    const events = storyOf('0 123#, 1 124#').flatMap(({ event }) =>
      typeof event === 'string' ? [] : [event],
    );
    run.take(batchOf(events), Float64Array.of(4711, 4720));
    run.end();
    expect(run.results[0]?.violations).toMatchObject([{ event: 4720 }]);
  });
});
