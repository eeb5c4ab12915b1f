import { describe, expect, it } from 'vitest';
import { Scratch, scratchBytes } from '../scratch-pool.ts';
import { ListPage } from './list-page.ts';

const items = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: 'ä'.repeat(bytes / 2) }));

const slicesOf = (page: ListPage): Buffer[] => {
  const slices: Buffer[] = [];
  const scratch = new Scratch();
  while (!page.prepare());
  for (let length = page.writeInto(scratch); length > 0; length = page.writeInto(scratch)) {
    slices.push(Buffer.from(scratch.bytes.subarray(0, length)));
  }
  return slices;
};

const textOf = (page: ListPage): string => Buffer.concat(slicesOf(page)).toString();

const maxBytes = 2 * 1024 * 1024;
const rest = (count: number) => ({ count });

describe('ListPage', () => {
  it('writes a list, and fields before and after it', () => {
    const named = { list: 'parts', maxBytes, items: () => items(3, 4) };
    const list = `"parts":${JSON.stringify(items(3, 4))}`;
    expect(textOf(new ListPage({ ...named, before: rest }))).toBe(`{"count":3,${list}}`);
    expect(textOf(new ListPage({ ...named, after: rest }))).toBe(`{${list},"count":3}`);
    const none = { list: 'parts', maxBytes, items: () => [] };
    expect(textOf(new ListPage({ ...none, before: rest }))).toBe('{"count":0,"parts":[]}');
    expect(textOf(new ListPage({ ...none, after: rest }))).toBe('{"parts":[],"count":0}');
  });

  it.each(['before', 'after'] as const)(
    'gives as many of the first items as fit into an answer, by their bytes, and counts them %s the list',
    (place) => {
      const slices = slicesOf(
        new ListPage({ list: 'parts', maxBytes, items: () => items(100, 100_000), [place]: rest }),
      );
      const bytes = Buffer.concat(slices);
      const { parts, count } = JSON.parse(bytes.toString());
      expect(parts.map(({ id }: { id: number }) => id)).toEqual([...parts.keys()]);
      expect(count).toBe(parts.length);
      expect(bytes.length).toBeLessThanOrEqual(maxBytes + 100);
      expect(bytes.length + 100_000).toBeGreaterThan(maxBytes - 10_000);
      for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(scratchBytes);
    },
  );

  it.each(['before', 'after'] as const)(
    'reads no more items in a turn than a slice needs, with fields %s them',
    (place) => {
      let taken = 0;
      const counted = function* () {
        for (const item of items(4000, 1000)) {
          taken++;
          yield item;
        }
      };
      const page = new ListPage({ list: 'parts', maxBytes, items: counted, [place]: rest });
      expect(page.prepare()).toBe(place === 'after');
      page.writeInto(new Scratch());
      expect(taken).toBeGreaterThan(0);
      expect(taken).toBeLessThan(200);
      page.close();
      expect(page.prepare()).toBe(true);
      expect(page.writeInto(new Scratch())).toBe(0);
    },
  );

  it('reads the items of a page that is a slice or less only once', () => {
    let reads = 0;
    const counted = () => {
      reads += 1;
      return items(100, 100);
    };
    slicesOf(new ListPage({ list: 'parts', maxBytes, items: counted, before: rest }));
    expect(reads).toBe(1);
  });
});
