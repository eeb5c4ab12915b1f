import {
  Z_BUF_ERROR,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateInit,
} from 'pako';
import type * as inflateOfService from '../../../src/trace/inflate.ts';

type Inflated = inflateOfService.Inflated;

const minBytes = 0x4000;

/** Used in browsers instead of `src/trace/inflate.ts`. */
export const inflate: typeof inflateOfService.inflate = (compressed, limit, expected) => {
  const stream = new ZStream();
  zlibInflateInit(stream);
  stream.input = compressed;
  stream.next_in = 0;
  stream.avail_in = compressed.length;
  let contents = new Uint8Array(Math.min(limit + 1, Math.max(expected, minBytes)));
  for (;;) {
    stream.output = contents;
    stream.avail_out = contents.length - stream.next_out;
    const status = zlibInflate(stream, Z_NO_FLUSH);
    const length = stream.next_out;
    const isWhole = status === Z_STREAM_END;
    if (length > limit) return 'large';
    if (isWhole || ((status === Z_OK || status === Z_BUF_ERROR) && length < contents.length)) {
      const used = compressed.length - stream.avail_in;
      return { contents: contents.subarray(0, length), used, isWhole };
    }
    if (status !== Z_OK && status !== Z_BUF_ERROR) return 'damaged';
    // One more byte shows whether the stream ends at the limit.
    const grown = new Uint8Array(Math.min(limit + 1, 2 * length));
    grown.set(contents);
    contents = grown;
  }
};

export const inflateWhole: typeof inflateOfService.inflateWhole = (
  compressed,
  limit,
  expected = 0,
): Inflated | undefined => {
  const inflated = inflate(compressed, limit, expected);
  return typeof inflated === 'object' && inflated.isWhole ? inflated : undefined;
};
