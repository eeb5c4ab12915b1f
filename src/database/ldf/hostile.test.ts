import { describe, expect, it } from 'vitest';
import { network, refusalOf } from './testing/read-text.ts';

/** Parts of a text, so that the test itself needs little memory. */
const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

const nodes = 'Nodes { Master: M, 5 ms, 1 ms; }\n';

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
