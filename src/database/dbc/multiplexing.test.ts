import { describe, expect, it } from 'vitest';
import { codesOf, messageOf } from './testing/read-text.ts';

const line = (name: string, mark = '', start = 0): string =>
  ` SG_ ${name} ${mark} : ${start}|8@1+ (1,0) [0|0] "" A\n`;
const head = 'BO_ 1 M: 8 A\n';

/** Dependencies of each signal, as `switch: from-to from-to`. */
const dependencies = (text: string): Record<string, string | null> =>
  Object.fromEntries(
    messageOf(head + text).signals.map(({ name, multiplexing }) => [
      name,
      multiplexing &&
        `${multiplexing.switch}: ${multiplexing.ranges.map(({ from, to }) => `${from}-${to}`).join(' ')}`,
    ]),
  );

describe('multiplexed signals', () => {
  it('depend on the only switch of the message', () => {
    const text = line('S', 'M') + line('A', 'm0', 8) + line('B', 'm18446744073709551615', 8);
    expect(dependencies(text)).toEqual({
      S: null,
      A: 'S: 0-0',
      B: 'S: 18446744073709551615-18446744073709551615',
    });
    expect(messageOf(head + text).signals.map(({ isSwitch }) => isSwitch)).toEqual([
      true,
      false,
      false,
    ]);
    expect(codesOf(head + text)).toEqual([]);
  });

  it('depend on the switch that SG_MUL_VAL_ names, for its ranges and not for their mark', () => {
    const text = `${line('S', 'M') + line('T', 'm0M', 8) + line('A', 'm7', 16)}
SG_MUL_VAL_ 1 T S 0-1;\nSG_MUL_VAL_ 1 A T 2-3, 5 - 5,9-4000000000;`;
    expect(dependencies(text)).toEqual({ S: null, T: 'S: 0-1', A: 'T: 2-3 5-5 9-4000000000' });
    expect(codesOf(head + text)).toEqual([]);
  });

  it('are always there when there is no switch, and that is reported', () => {
    const text = line('A', 'm0') + line('B', 'm1', 8);
    expect(dependencies(text)).toEqual({ A: null, B: null });
    expect(codesOf(head + text)).toEqual(['multiplexor_missing', 'multiplexor_missing']);
  });

  it('are always there when several switches leave it open, and that is reported', () => {
    const text = line('S', 'M') + line('T', 'M', 8) + line('A', 'm0', 16);
    expect(dependencies(text)).toEqual({ S: null, T: null, A: null });
    expect(codesOf(head + text)).toEqual(['multiplexor_ambiguous']);
    const nested = line('S', 'M') + line('T', 'm1M', 8);
    expect(dependencies(nested)).toEqual({ S: null, T: null });
    expect(codesOf(head + nested)).toEqual(['multiplexor_ambiguous']);
  });

  it('follow SG_MUL_VAL_ where marks are missing', () => {
    const text = `${line('S') + line('A', '', 8)}SG_MUL_VAL_ 1 A S 1-2;`;
    expect(dependencies(text)).toEqual({ S: null, A: 'S: 1-2' });
    expect(messageOf(head + text).signals[0]?.isSwitch).toBe(true);
    expect(codesOf(head + text)).toEqual(['multiplexing_unmarked']);
  });

  it('fall back on their mark when SG_MUL_VAL_ makes no sense', () => {
    const signals = line('S', 'M') + line('A', 'm3', 8);
    for (const rule of ['A Nobody 1-2', 'A A 1-2', 'A S 2-1']) {
      const text = `${signals}SG_MUL_VAL_ 1 ${rule};`;
      expect(dependencies(text)).toEqual({ S: null, A: 'S: 3-3' });
      expect(codesOf(head + text)).toContain('multiplexing_unusable');
    }
  });

  it('are freed from a circle', () => {
    const text = `${line('S', 'm0M') + line('T', 'm0M', 8)}
SG_MUL_VAL_ 1 S T 0-0;\nSG_MUL_VAL_ 1 T S 0-0;`;
    expect(dependencies(text)).toEqual({ S: null, T: null });
    expect(codesOf(head + text)).toEqual(['multiplexing_endless', 'multiplexing_endless']);
  });

  it('may depend on switches over many levels, but not without end', () => {
    const chain = (depth: number): string =>
      line('S0', 'M') +
      Array.from({ length: depth }, (_, at) => line(`S${at + 1}`, 'm0M')).join('') +
      Array.from({ length: depth }, (_, at) => `SG_MUL_VAL_ 1 S${at + 1} S${at} 0-0;\n`).join('');
    expect(codesOf(head + chain(32))).not.toContain('multiplexing_endless');
    expect(codesOf(head + chain(34))).toContain('multiplexing_endless');
  });

  it('may have a mark without value, which says nothing', () => {
    expect(dependencies(line('S', 'M') + line('A', 'm', 8))).toEqual({ S: null, A: null });
    expect(codesOf(head + line('A', 'm'))).toEqual(['multiplexing_without_value']);
  });
});
