import { describe, expect, it } from 'vitest';
import { network, refusalOf } from './testing/read-text.ts';

/** Parts of a text, so that the test itself needs little memory. */
const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

const nodes = 'Nodes { Master: M, 5 ms, 1 ms; }\n';

describe('readLdf rejects', () => {
  const files: [string, () => string][] = [
    ['deep blocks', () => `Odd ${'{'.repeat(200_000)}`],
    ['a million signals', () => `Signals {${repeated(400_000, (n) => `S${n}:1,0,M;`)}}`],
    [
      'a frame with very many signals',
      () => `${nodes}Signals{S:1,0,M;}Frames{F:1,M,8{${'S,0;'.repeat(1_000_000)}}}`,
    ],
    ['very many frames in an event', () => `Event_triggered_frames{E:1${',F'.repeat(1_000_000)};}`],
    ['very many entries', () => `Schedule_tables{T{${'F delay 5 ms;'.repeat(200_000)}}}`],
    [
      'very many values',
      () => `Signal_encoding_types{E{${'logical_value,1,"";'.repeat(200_000)}}}`,
    ],
    [
      'a large encoding for many widths',
      () =>
        `${nodes}Signals{${repeated(16, (n) => `S${n}:${n + 1},0,M;`)}}
Signal_encoding_types{E{${repeated(20_000, (n) => `physical_value,${n},${n},1,0;`)}}}
Signal_representation{E:${repeated(16, (n) => (n === 0 ? 'S0' : `,S${n}`))};}`,
    ],
    ['a very long name', () => `Signals {${'x'.repeat(1_000_000)}:1,0,M;}`],
    ['a very long array', () => `Signals{S:8,{${'1,'.repeat(1_000_000)}1},M;}`],
    ['a number with very many digits', () => `LIN_speed = ${'9'.repeat(1_000_000)} kbps;`],
    ['very many quotes', () => `Channel_name = ${'"'.repeat(1_000_001)}`],
    ['more than eight megabytes', () => ' '.repeat(9 * 1024 * 1024)],
  ];
  for (const [what, make] of files) {
    it(what, () => {
      expect(refusalOf(make())).toMatchObject({
        line: expect.any(Number),
        column: expect.any(Number),
        reason: expect.any(String),
      });
    });
  }
});

describe('readLdf reads', () => {
  it('tables and event frames that refer to each other', () => {
    const cyclic = network({
      more: 'Event_triggered_frames { E: Loop, 5, Answer; }',
      schedules: 'Schedule_tables { Loop { E delay 10 ms; } }',
    });
    expect(refusalOf(cyclic)).toBeNull();
  });

  it('one large encoding that all signals share', () => {
    const values = repeated(50_000, (n) => `logical_value,${n},"";`);
    const names = Array.from({ length: 5000 }, (_, n) => `S${n}`);
    const file = `${nodes}Signals{${names.map((name) => `${name}:16,0,M;`).join('')}}
Signal_encoding_types{E{physical_value,0,1,1,0;${values}}}Signal_representation{E:${names.join()};}`;
    expect(refusalOf(file)).toBeNull();
  });

  it('blanks between very many lines, wherever they are', () => {
    expect(refusalOf(network({ more: '\n'.repeat(1_000_000) }))).toBeNull();
  });
});
