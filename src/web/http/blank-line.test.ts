import { describe, expect, it } from 'vitest';
import { BlankLine } from './blank-line.ts';

/** Cuts a text behind every blank line, given in pieces of so many bytes. */
const piecesOf = (text: string, step: number): string[] => {
  const blankLine = new BlankLine();
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += step) {
    let rest = Buffer.from(text.slice(at, at + step));
    while (rest.length > 0) {
      const end = blankLine.endIn(rest);
      pieces.push(rest.toString('latin1', 0, end));
      rest = rest.subarray(end);
    }
  }
  return pieces;
};

const head = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('BlankLine', () => {
  it.each([
    ['ends behind each head', `${head}${head}`, [head, head]],
    [
      'takes a bare line feed for the end of a line',
      'GET /\nHost: a\n\nGET',
      ['GET /\nHost: a\n\n', 'GET'],
    ],
    ['takes line ends that are not alike', 'GET /\n\r\nGET', ['GET /\n\r\n', 'GET']],
    ['leaves blank lines to the message behind them', `\r\n\r\n\n${head}`, [`\r\n\r\n\n${head}`]],
    [
      'is not taken in by a line that begins with a return',
      'A\r\n\rB\r\n\r\nC',
      ['A\r\n\rB\r\n\r\n', 'C'],
    ],
    ['gives all there is where no head ends', 'GET / HTTP/1.1\r\nHost', ['GET / HTTP/1.1\r\nHost']],
  ])('%s', (_, text, pieces) => {
    expect(piecesOf(text, text.length)).toEqual(pieces);
  });

  it.each([1, 2, 3, 5, 7])('finds the same ends in pieces of %i bytes', (step) => {
    const text = `${head}\r\n${head}POST / HTTP/1.1\n\n${head}`;
    const ends = (pieces: readonly string[]): number[] => {
      let at = 0;
      return pieces.map((piece) => (at += piece.length));
    };
    const found = ends(piecesOf(text, step));
    for (const end of ends(piecesOf(text, text.length))) expect(found).toContain(end);
  });
});
