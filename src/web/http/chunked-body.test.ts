import { describe, expect, it } from 'vitest';
import { ChunkedBody } from './chunked-body.ts';

/** How much of a text is the body, given in pieces of so many bytes. */
const lengthOf = (text: string, step: number): number | null => {
  const body = new ChunkedBody();
  for (let at = 0; at < text.length; at += step) {
    const end = body.endIn(Buffer.from(text.slice(at, at + step)), Number.POSITIVE_INFINITY);
    if (body.isDone) return at + end;
  }
  return null;
};

describe('ChunkedBody', () => {
  it.each([
    ['one chunk', '5\r\nhello\r\n0\r\n\r\n'],
    [
      'several chunks, with sizes in either case',
      'a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n',
    ],
    ['no chunk at all', '0\r\n\r\n'],
    ['an end inside of the data', '10\r\n0\r\n\r\nGET / HTTP/\r\n0\r\n\r\n'],
    ['extensions', '5;a=1;b="0"\r\nhello\r\n0;last\r\n\r\n'],
    ['trailers', '5\r\nhello\r\n000\r\nDigest: x\r\nOther: y\r\n\r\n'],
  ])('ends behind %s', (_, body) => {
    for (const step of [1, 2, 3, 7, 1000]) {
      expect(lengthOf(`${body}GET / HTTP/1.1\r\n\r\n`, step), `by ${step}`).toBe(body.length);
    }
  });

  it('is cut behind so many chunks, wherever they come from', () => {
    const chunk = '1\r\nx\r\n';
    const text = Buffer.from(`${chunk.repeat(5)}0\r\n\r\nGET`);
    const body = new ChunkedBody();
    const found: number[] = [];
    for (let at = 0; !body.isDone; ) {
      const end = body.endIn(text.subarray(at), 2);
      found.push(end);
      at += end;
    }
    expect(found).toEqual([2 * chunk.length, 2 * chunk.length, chunk.length + 5]);
  });

  it('does not end before its last chunk', () => {
    for (const text of ['', '5\r\nhel', '5\r\nhello\r\n', '5\r\nhello\r\n0\r\n', '0\r\nA: b\r\n']) {
      expect(lengthOf(text, 1000)).toBeNull();
    }
  });
});
