import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageSplitter } from './message-splitter.ts';

type Piece = { readonly line: string } | { readonly raw: readonly number[] };

/** Output of a splitter, in order. Lines that end in `+n` announce n raw bytes. */
class Recorder {
  readonly pieces: Piece[] = [];

  line(line: Uint8Array): number {
    const text = Buffer.from(line).toString();
    this.pieces.push({ line: text });
    return Number(/\+([0-9]+)$/.exec(text)?.[1] ?? 0);
  }

  raw(bytes: Uint8Array): void {
    this.pieces.push({ raw: [...bytes] });
  }
}

const limits = { line: 1_000_000, raw: 1000 };

const cut = (stream: Uint8Array, sizes: readonly number[]): readonly Piece[] => {
  const recorder = new Recorder();
  const splitter = new MessageSplitter(limits, recorder);
  let at = 0;
  for (const size of [...sizes, stream.length]) {
    splitter.push(stream.subarray(at, at + size));
    at += size;
  }
  return recorder.pieces;
};

const lineText = fc
  .string({ unit: 'grapheme' })
  .map((text) => `${text.replaceAll('\n', '').replaceAll('+', '')}.`);

/** A line and the raw bytes it announces, which may contain anything, including newlines. */
const message = fc.record({
  text: lineText,
  raw: fc.oneof(
    fc.constant<number[]>([]),
    fc.array(fc.oneof(fc.constant(0x0a), fc.nat({ max: 255 })), { minLength: 1, maxLength: 60 }),
  ),
});
type Message = { readonly text: string; readonly raw: readonly number[] };

const lineOf = ({ text, raw }: Message): string =>
  raw.length === 0 ? text : `${text}+${raw.length}`;

const streamOf = (messages: readonly Message[]): Uint8Array =>
  Buffer.concat(messages.flatMap((one) => [Buffer.from(`${lineOf(one)}\n`), Buffer.from(one.raw)]));

const piecesOf = (messages: readonly Message[]): readonly Piece[] =>
  messages.flatMap((one) => [
    { line: lineOf(one) },
    ...(one.raw.length === 0 ? [] : [{ raw: one.raw }]),
  ]);

describe('MessageSplitter', () => {
  it('finds the same lines and raw bytes however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(message), fc.array(fc.nat({ max: 25 })), (messages, sizes) => {
        expect(cut(streamOf(messages), sizes)).toEqual(piecesOf(messages));
      }),
    );
  });

  it('turns from lines to raw bytes and back at the exact byte, wherever two cuts fall', () => {
    const messages: Message[] = [
      { text: 'a.', raw: [] },
      { text: 'b.', raw: [0x0a, 0x2b, 0x31, 0x0a] },
      { text: 'c.', raw: [0x0a] },
      { text: '✓.', raw: [] },
    ];
    const stream = streamOf(messages);
    const expected = piecesOf(messages);
    for (let first = 0; first <= stream.length; first++) {
      for (let second = 0; second <= stream.length - first; second++) {
        expect(cut(stream, [first, second])).toEqual(expected);
      }
    }
  });

  it('gives out raw bytes as soon as the last of them is there', () => {
    const recorder = new Recorder();
    const splitter = new MessageSplitter(limits, recorder);
    splitter.push(Buffer.from('x+3\nab'));
    expect(recorder.pieces).toEqual([{ line: 'x+3' }]);
    splitter.push(Buffer.from('c'));
    expect(recorder.pieces[1]).toEqual({ raw: [0x61, 0x62, 0x63] });
  });

  it('keeps an unfinished line until its end arrives', () => {
    const recorder = new Recorder();
    const splitter = new MessageSplitter(limits, recorder);
    splitter.push(Buffer.from('one\ntw'));
    expect(recorder.pieces).toEqual([{ line: 'one' }]);
    splitter.push(Buffer.from('o\n'));
    expect(recorder.pieces).toEqual([{ line: 'one' }, { line: 'two' }]);
  });

  it('refuses a line beyond the limit before it has ended', () => {
    const splitter = new MessageSplitter({ line: 4, raw: 0 }, new Recorder());
    splitter.push(Buffer.from('1234\n'));
    expect(() => splitter.push(Buffer.from('12345'))).toThrow('exceeds the size limit');
  });

  it('refuses raw bytes beyond the limit before they come', () => {
    const splitter = new MessageSplitter({ line: 10, raw: 4 }, new Recorder());
    splitter.push(Buffer.from('x+4\nabcd'));
    expect(() => splitter.push(Buffer.from('x+5\n'))).toThrow('exceeds the size limit');
  });

  it('stops at what its receiver throws', () => {
    const refusing = {
      line: () => {
        throw new RangeError('enough');
      },
      raw: () => undefined,
    };
    expect(() => new MessageSplitter(limits, refusing).push(Buffer.from('x\n'))).toThrow('enough');
  });
});
