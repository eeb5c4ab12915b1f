import { describe, expect, it } from 'vitest';
import { limits } from '../../operations/limits.ts';
import { fittingPage } from './fitting-page.ts';

const items = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: 'ä'.repeat(bytes / 2) }));

describe('fittingPage', () => {
  it('leaves what fits as it is', () => {
    const all = items(3, 100);
    expect(fittingPage(all)).toBe(all);
    expect(fittingPage([])).toEqual([]);
  });

  it('gives as many of the first ones as fit into an answer, by their bytes', () => {
    const page = fittingPage(items(100, 100_000));
    expect(page.map(({ id }) => id)).toEqual([...page.keys()]);
    const size = Buffer.byteLength(JSON.stringify(page));
    expect(size).toBeLessThan(limits.responseBytes);
    expect(size + 100_000).toBeGreaterThan(limits.responseBytes - 10_000);
  });
});
