import { describe, expect, it } from 'vitest';
import { MessageSplitter } from './message-splitter.ts';
import { encodeLine, linkProtocol, maxBatch, maxLineLength } from './protocol.ts';

describe('encodeLine', () => {
  it('makes one line of a message, whatever it holds', () => {
    const message = { id: 1, arguments: { text: 'a\nb\r\u2028"\\' }, project: null };
    const line = encodeLine(message);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual(message);
  });

  it('leaves out what is undefined', () => {
    expect(encodeLine({ id: 1, result: undefined })).toBe('{"id":1}\n');
  });
});

describe('the limits of the link', () => {
  it('let a line carry more than the largest response of the HTTP face', () => {
    const maxResponse = 2 * 1024 * 1024;
    expect(maxLineLength).toBeGreaterThan(maxResponse);
    let lines = 0;
    const splitter = new MessageSplitter(
      { line: maxLineLength, raw: maxBatch },
      {
        line: () => {
          lines++;
          return 0;
        },
        raw: () => undefined,
      },
    );
    splitter.push(Buffer.from(`${'x'.repeat(maxLineLength)}\n`));
    expect(lines).toBe(1);
    expect(() => splitter.push(Buffer.alloc(maxLineLength + 1))).toThrow();
  });

  it('name the protocol by a whole number', () => {
    expect(Number.isInteger(linkProtocol)).toBe(true);
  });
});
