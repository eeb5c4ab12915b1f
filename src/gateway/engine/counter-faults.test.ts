import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { protecting, relayProject, together } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

type Fault = { readonly kind: string; readonly [field: string]: unknown };

/** The frames of this many periods from the start: value 0, counter and checksum. */
const framesOf = (periods: number, ...rows: Fault[]): string[] => {
  const faults = rows.map((row, index) => ({
    id: `r${index}`,
    task: 'Cluster',
    enabled: true,
    ...row,
  }));
  const changes = together(protecting, { fault_rules: faults });
  const rig = new EngineRig(relayProject(changes)).start();
  rig.runUntil(20 * ms * (periods - 1));
  return rig.sent();
};

describe('rules that change a counter', () => {
  it(
    rule('freeze_counter', 'hold the counter at its initial value, with a checksum that fits'),
    () => {
      expect(framesOf(4, { kind: 'freeze_counter', start: 2, count: 2 })).toEqual([
        '000000',
        '000000',
        '000000',
        '000303',
      ]);
    },
  );

  it(rule('freeze_counter', 'hold the counter at the value given'), () => {
    expect(framesOf(3, { kind: 'freeze_counter', value: '7', start: 2, count: 1 })).toEqual([
      '000000',
      '000707',
      '000202',
    ]);
  });

  it(
    rule(
      'counter_jump',
      'move the counter on or back, round its end, and later frames go on from there',
    ),
    () => {
      const jump = { kind: 'counter_jump', start: 3, count: 1 };
      expect(framesOf(5, { ...jump, value: '5' })).toEqual([
        '000000',
        '000101',
        '000707',
        '000808',
        '000909',
      ]);
      expect(framesOf(5, { ...jump, value: '-4' })).toEqual([
        '000000',
        '000101',
        '000d0d',
        '000e0e',
        '000000',
      ]);
      expect(framesOf(4, { ...jump, mask: 3 })).toEqual(['000000', '000101', '000505', '000606']);
      expect(framesOf(3, { ...jump, mask: 3, value: '1' })).toEqual(['000000', '000101', '000303']);
    },
  );

  it.each<[string, Fault, string]>([
    ['frozen', { kind: 'freeze_counter', value: '12' }, '000c0c'],
    ['set', { kind: 'set_byte', byte_offset: 1, mask: 200 }, '00c807'],
    ['flipped', { kind: 'xor_byte', byte_offset: 1, mask: 0x80 }, '008707'],
  ])(
    rule(
      'counter_jump',
      'move the count that is meant where the counter of the frame was %s: the last rule shows in it',
    ),
    (_, change, changedLast) => {
      const once = { start: 3, count: 1 };
      const other = { ...change, ...once };
      const jump = { kind: 'counter_jump', value: '5', ...once };
      const later = ['000808', '000909'];
      expect(framesOf(5, other, jump)).toEqual(['000000', '000101', '000707', ...later]);
      expect(framesOf(5, jump, other)).toEqual(['000000', '000101', changedLast, ...later]);
    },
  );
});
