import { describe, expect, it } from 'vitest';
import { FrameLines } from './send-list.ts';

const read = (...texts: string[]) => {
  const lines = new FrameLines('list.log');
  return texts.map((text) => lines.read(text));
};

describe('FrameLines', () => {
  it('reads frames, and passes over empty lines and comments, which count', () => {
    expect(read('123#DEADBEEF', '', '  ', '# wake-up', ' 1A#0102 ')).toEqual([
      { frame: '123#DEADBEEF', line: 1 },
      undefined,
      undefined,
      undefined,
      { frame: '1A#0102', line: 5 },
    ]);
  });

  it('reads lines of a candump log, of which time, interface and direction do not count', () => {
    const texts = [
      '(1436509052.249713) can0 044#2A',
      '(0.1)  can0  123##1AA R',
      '(2026-11-15T03:04:06.405288Z) can0 1#R T',
    ];
    expect(read(...texts).map((found) => found?.frame)).toEqual(['044#2A', '123##1AA', '1#R']);
  });

  it.each([
    [['123 DEAD'], /^Line 1 of list\.log is neither a frame/],
    [['123#01', '(1.2) can0'], /^Line 2 of list\.log is neither a frame/],
    [
      ['(1.0) can0 1#', '(1.1) can1 1#'],
      /^Line 2 of list\.log is from can1, not from can0 as line 1/,
    ],
  ])('refuses %j and names the line', (texts, message) => {
    expect(() => read(...texts)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringMatching(message),
        details: { field: 'file', line: texts.length },
      }),
    );
  });
});
