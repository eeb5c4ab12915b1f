import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readBodyBytes } from './request.ts';

const pieces = (size: number, count: number): Readable =>
  Readable.from(Array.from({ length: count }, (_, n) => Buffer.alloc(size, n)));

describe('readBodyBytes', () => {
  it.each([
    ['nothing', 7, 0],
    ['bytes one by one', 1, 5000],
    ['pieces that do not fit into each other', 700, 7],
  ])('puts %s together', async (_, size, count) => {
    const expected = Buffer.concat(Array.from({ length: count }, (_, n) => Buffer.alloc(size, n)));
    expect(await readBodyBytes(pieces(size, count), 5000)).toEqual(expected);
  });

  it('refuses one byte more than the limit, and says what that is', async () => {
    await expect(readBodyBytes(pieces(1, 5001), 5000)).rejects.toMatchObject({
      code: 'payload_too_large',
      details: { limit: 5000 },
    });
  });

  it('tells of a body that breaks off', async () => {
    const body = new Readable({ read: () => undefined });
    const read = readBodyBytes(body, 10);
    body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    await expect(read).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'The request was cut off',
    });
  });
});
