import { describe, expect, it } from 'vitest';
import type { Signal } from '../database/model.ts';
import { ValueLabels } from './sample-text.ts';
import { aSignal } from './testing/models.ts';

const labels = (given: Partial<Signal>, ...values: [raw: bigint, text: string][]) => {
  const signal = aSignal({ ...given, values: values.map(([raw, text]) => ({ raw, text })) });
  const table = new ValueLabels([signal]);
  return (raw: number | bigint) => table.labelOf(0, raw);
};

describe('ValueLabels', () => {
  it('names raw values, and those without a name not at all', () => {
    const labelOf = labels({}, [0n, 'Off'], [1n, 'On']);
    expect([0, 1, 2].map(labelOf)).toEqual(['Off', 'On', null]);
  });

  it('takes an unsigned entry for a negative value of a signed signal', () => {
    const labelOf = labels({ kind: 'signed', length: 32 }, [4294967295n, 'Invalid']);
    expect(labelOf(-1)).toBe('Invalid');
  });

  it('takes a negative entry for a high value of an unsigned signal', () => {
    expect(labels({}, [-1n, 'Invalid'])(255)).toBe('Invalid');
  });

  it('prefers the entry written for the very value, wherever it stands', () => {
    expect(labels({ kind: 'signed' }, [-1n, 'Exact'], [255n, 'Meant'])(-1)).toBe('Exact');
    expect(labels({ kind: 'signed' }, [255n, 'Meant'], [-1n, 'Exact'])(-1)).toBe('Exact');
  });

  it('takes the last of two entries for one value', () => {
    expect(labels({}, [1n, 'First'], [1n, 'Last'])(1)).toBe('Last');
  });

  it('tells values beyond 2^53 apart', () => {
    const labelOf = labels(
      { length: 64 },
      [2n ** 60n, 'Even'],
      [2n ** 60n + 1n, 'Odd'],
      [1n, 'One'],
    );
    expect([2n ** 60n, 2n ** 60n + 1n, 1n].map(labelOf)).toEqual(['Even', 'Odd', 'One']);
    const signed = labels({ length: 64, kind: 'signed' }, [2n ** 64n - 1n, 'Invalid']);
    expect(signed(-1n)).toBe('Invalid');
  });

  it('names floats by the integers that they equal', () => {
    const labelOf = labels({ kind: 'float32', length: 32 }, [2n, 'Two']);
    expect([2, 2.5].map(labelOf)).toEqual(['Two', null]);
  });
});
