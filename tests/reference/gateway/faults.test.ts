import { describe, expect, it } from 'vitest';
import {
  accepts,
  outcome,
  rounds,
  run,
  sending,
  sendingChanges,
  set,
  snapshot,
  start,
  stop,
  switchRule,
} from './small-scripts.ts';

/**
 * A readable free layout: byte 0 is the value 1, byte 1 the counter 0 to 3, byte 2 their sum. `01
 * 02 03` is the frame with the counter 2.
 */
const protection = {
  id: 'sum',
  kind: 'e2e',
  profile: 'free',
  counter: { start_bit: 8, bit_length: 8, byte_order: 'intel', max: '3' },
  checksum: { start_bit: 16, bit_length: 8, byte_order: 'intel', algorithm: 'sum8' },
};

const withRules = (rules: readonly object[], base: typeof sending | object = sending) => ({
  ...sending,
  ...base,
  messages: [{ ...sending.messages[0], length: 3 }],
  codecs: [...sending.codecs, protection],
  e2e: [{ id: 'protect', message: 'tx', direction: 'protect', codec: 'sum' }],
  fault_rules: rules.map((rule, index) => ({
    id: `r${index}`,
    task: 'task',
    enabled: true,
    ...rule,
  })),
});

/** This many periods, with one frame each. */
const periods = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => [
    ...rounds(from + 10 * index),
    outcome(from + 10 * index + 1),
  ]).flat();

/** Bytes of the frames; `-` for a period without one. */
const bytesOf = (rules: readonly object[], count: number): string => {
  const result = run(withRules(rules), [start(), ...periods(count)]);
  return Array.from({ length: count }, (_, index) => {
    const found = result.frames.find((text) => text.startsWith(`${10 * index}: `));
    return found?.split(': ')[1] ?? '-';
  }).join(' ');
};

const last = (rules: readonly object[], count: number) =>
  run(withRules(rules), [start(), ...periods(count), snapshot(10 * count)]).task();

it('without faults the counter goes round', () => {
  expect(bytesOf([], 5)).toBe('010001 010102 010203 010304 010001');
  expect(bytesOf([{ kind: 'drop', enabled: false }], 2)).toBe('010001 010102');
});

it('rules fire from a start on, every so often, so many times', () => {
  const rule = { kind: 'suppress', start: 2, every: 3, count: 2 };
  expect(bytesOf([rule], 9)).toBe('010001 - 010102 010203 - 010304 010001 010102 010203');
  expect(last([rule], 9)).toMatchObject({ suppressed: 2, generated: 7, accepted: 7 });
});

describe('flow rules', () => {
  it('drop goes on counting', () => {
    expect(bytesOf([{ kind: 'drop', start: 2, count: 1 }], 3)).toBe('010001 - 010203');
    const counts = { dropped: 1, generated: 3, accepted: 2 };
    expect(last([{ kind: 'drop', start: 2, count: 1 }], 3)).toMatchObject(counts);
  });

  it('repeat sends the last good frame whole', () => {
    const rules = [
      { kind: 'xor_byte', byte_offset: 0, mask: 128, start: 2, count: 1 },
      { kind: 'repeat', start: 3, count: 1 },
    ];
    expect(bytesOf(rules, 4)).toBe('010001 810102 010001 010203');
    expect(last(rules, 4)).toMatchObject({ repeated: 1, injected: 1, generated: 3 });
  });

  it('repeat without a frame suppresses', () => {
    expect(bytesOf([{ kind: 'repeat', count: 1 }], 2)).toBe('- 010001');
    expect(last([{ kind: 'repeat', count: 1 }], 2)).toMatchObject({ repeated: 0, suppressed: 1 });
  });

  it('repeat knows nothing of an earlier run', () => {
    const rules = [{ kind: 'repeat', enabled: false }];
    const result = run(withRules(rules), [
      ...[start(), outcome(1), stop(5), switchRule(6, 'r0', true), start(2000), snapshot(2000)],
    ]);
    expect(result.frames).toEqual(['0: 010001']);
    expect(result.task().suppressed).toBe(1);
  });

  it('bypass sends the first counter and zeros', () => {
    expect(bytesOf([{ kind: 'bypass', start: 2, count: 1 }], 3)).toBe('010001 010000 010102');
    const counts = { unprotected: 1, generated: 2, accepted: 3 };
    expect(last([{ kind: 'bypass', start: 2, count: 1 }], 3)).toMatchObject(counts);
  });
});

describe('overrides', () => {
  it.each([
    [{ kind: 'set_byte', byte_offset: 0, mask: 0x7e }, '010001 7e0102 010203'],
    [{ kind: 'xor_byte', byte_offset: 2, mask: 0xff }, '010001 0101fd 010203'],
    [{ kind: 'freeze_counter' }, '010001 010001 010203'],
    [{ kind: 'freeze_counter', value: '3' }, '010001 010304 010203'],
    [{ kind: 'counter_jump', value: '2' }, '010001 010304 010001'],
    [{ kind: 'counter_jump', value: '-2' }, '010001 010304 010001'],
    [{ kind: 'counter_jump', mask: 1 }, '010001 010203 010304'],
    [{ kind: 'corrupt_checksum', value: '129' }, '010001 010183 010203'],
    [{ kind: 'corrupt_checksum', mask: 1 }, '010001 010103 010203'],
  ])('%o', (rule, expected) => {
    const rules = [{ ...rule, start: 2, count: 1 }];
    expect(bytesOf(rules, 3)).toBe(expected);
    expect(last(rules, 3)).toMatchObject({ injected: 1, generated: 3, accepted: 3 });
  });

  it('act together in the order of their rows', () => {
    const changed = { kind: 'set_byte', byte_offset: 0, mask: 5 };
    expect(bytesOf([changed, { kind: 'freeze_counter', value: '2' }], 1)).toBe('050207');
    expect(bytesOf([{ kind: 'freeze_counter', value: '2' }, changed], 1)).toBe('050203');
    expect(last([changed, { kind: 'corrupt_checksum', mask: 1 }], 1).injected).toBe(1);
  });

  it('jump from the count of the context, and the last one shows', () => {
    const once = { start: 2, count: 1 };
    const jump = { kind: 'counter_jump', value: '1', ...once };
    const frozen = { kind: 'freeze_counter', value: '0', ...once };
    expect(bytesOf([frozen, jump], 3)).toBe('010001 010203 010304');
    expect(bytesOf([jump, frozen], 3)).toBe('010001 010001 010304');
    expect(bytesOf([jump, frozen, jump], 3)).toBe('010001 010304 010001');
  });
});

describe('conflicts', () => {
  it.each([
    [[{ kind: 'drop' }, { kind: 'suppress' }]],
    [[{ kind: 'bypass' }, { kind: 'set_byte', byte_offset: 0, mask: 1 }]],
  ])('%o', (kinds) => {
    const rules = kinds.map((rule) => ({ ...rule, start: 2, count: 1 }));
    expect(bytesOf(rules, 3)).toBe('010001 - 010102');
    const task = run(withRules(rules), [start(), ...periods(2), snapshot(15)]).task();
    const counts = { faultConflicts: 1, dropped: 0, suppressed: 0, error: 'fault_conflict' };
    expect(task).toMatchObject(counts);
    expect(last(rules, 3).error).toBeNull();
  });
});

describe('opportunities', () => {
  it('are not multiplied by a stall', () => {
    const rules = [{ kind: 'suppress', start: 2, count: 1 }];
    const events = [start(), outcome(1), rounds(95), outcome(96), rounds(100)];
    expect(run(withRules(rules), events).frames).toEqual(['0: 010001', '100: 010102']);
  });

  it('count from the enabling on, and enabling twice changes nothing', () => {
    const rules = [{ kind: 'suppress', start: 2, enabled: false, count: 1 }];
    const result = run(withRules(rules), [
      ...[start(), ...periods(2), switchRule(15, 'r0', true), ...periods(1, 20)],
      ...[switchRule(25, 'r0', true), ...periods(2, 30)],
    ]);
    expect(result.frames.map((text) => text.split(':')[0])).toEqual(['0', '10', '20', '40']);
  });

  it('begin anew when a rule is disabled and enabled, and at each start', () => {
    const rules = [{ kind: 'suppress', count: 1 }];
    const result = run(withRules(rules), [
      ...[start(), ...periods(2), switchRule(15, 'r0', false), switchRule(15, 'r0', true)],
      ...[...periods(2, 20), stop(35), start(2000), outcome(2001), ...periods(1, 2010)],
    ]);
    expect(result.frames).toEqual(['10: 010001', '30: 010102', '2010: 010203']);
  });

  it('that are refused move nothing but are over', () => {
    const rules = [{ kind: 'counter_jump', value: '2', start: 2, count: 1 }];
    const result = run(withRules(rules), [
      ...[start(), outcome(1), accepts(2, false), ...periods(1, 10), accepts(12, true)],
      ...[...periods(1, 20), snapshot(25)],
    ]);
    expect(result.frames).toEqual(['0: 010001', '20: 010102']);
    expect(result.task()).toMatchObject({ injected: 1, generated: 3, accepted: 2 });
  });
});

describe('on change', () => {
  const changes = (...rules: readonly object[]) => withRules(rules, sendingChanges());

  it('a retry after a refusal is the same opportunity', () => {
    const rules = [{ kind: 'set_byte', byte_offset: 0, mask: 9, start: 1, count: 1 }];
    const result = run(changes(...rules), [
      ...[accepts(0, false), start(), rounds(100), accepts(101, true), rounds(200), snapshot(200)],
    ]);
    expect(result.frames).toEqual(['200: 090001']);
    expect(result.task()).toMatchObject({ injected: 1, generated: 1, accepted: 1 });
  });

  it('a retry after a failure is a new one', () => {
    const rule = { kind: 'set_byte', byte_offset: 0, mask: 9, start: 1, count: 1 };
    const result = run(changes(rule), [start(), outcome(1, false), rounds(101), snapshot(101)]);
    expect(result.frames).toEqual(['0: 090001', '101: 010102']);
    expect(result.task()).toMatchObject({ injected: 1, generated: 2 });
  });

  it.each(['drop', 'suppress', 'repeat'])('%s counts as sent', (kind) => {
    const result = run(changes({ kind, count: 1 }), [
      ...[start(), rounds(200), set(201, 'value', '2'), rounds(202), snapshot(202)],
    ]);
    expect(result.frames.map((text) => text.slice(0, 7))).toEqual(['202: 02']);
    expect(result.task().coalesced).toBe(0);
  });
});

it('the context of protection survives a restart', () => {
  const result = run(withRules([]), [start(), ...periods(2), stop(15), start(2000)]);
  expect(result.frames).toEqual(['0: 010001', '10: 010102', '2000: 010203']);
});
