import { describe, expect, it } from 'vitest';
import { Scratch, scratchBytes } from '../scratch-pool.ts';
import { ListPage } from './list-page.ts';

const items = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: 'ä'.repeat(bytes / 2) }));

const slicesOf = (page: ListPage): Buffer[] => {
  const slices: Buffer[] = [];
  const scratch = new Scratch();
  for (let length = page.writeInto(scratch); length > 0; length = page.writeInto(scratch)) {
    slices.push(Buffer.from(scratch.bytes.subarray(0, length)));
  }
  return slices;
};

const maxBytes = 2 * 1024 * 1024;
const rest = (count: number) => ({ count });

describe('ListPage', () => {
  it('writes a list and what stands beside it', () => {
    const page = new ListPage({ list: 'parts', maxBytes, items: items(3, 4), rest });
    expect(JSON.parse(Buffer.concat(slicesOf(page)).toString())).toEqual({
      parts: items(3, 4),
      count: 3,
    });
    const empty = new ListPage({ list: 'parts', maxBytes, items: [], rest });
    expect(Buffer.concat(slicesOf(empty)).toString()).toBe('{"parts":[],"count":0}');
  });

  it('gives as many of the first items as fit into an answer, by their bytes', () => {
    const slices = slicesOf(
      new ListPage({ list: 'parts', maxBytes, items: items(100, 100_000), rest }),
    );
    const bytes = Buffer.concat(slices);
    const { parts, count } = JSON.parse(bytes.toString());
    expect(parts.map(({ id }: { id: number }) => id)).toEqual([...parts.keys()]);
    expect(count).toBe(parts.length);
    expect(bytes.length).toBeLessThanOrEqual(maxBytes + 100);
    expect(bytes.length + 100_000).toBeGreaterThan(maxBytes - 10_000);
    for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(scratchBytes);
  });

  it('looks at no more items than a slice needs', () => {
    let taken = 0;
    const counted = (function* () {
      for (const item of items(4000, 1000)) {
        taken++;
        yield item;
      }
    })();
    const page = new ListPage({ list: 'parts', maxBytes, items: counted, rest });
    page.writeInto(new Scratch());
    expect(taken).toBeLessThan(200);
    page.close();
    expect(page.writeInto(new Scratch())).toBe(0);
  });
});
