import { describe, expect, it } from 'vitest';
import { paletteFor, plainPalette } from './palette.ts';

describe('paletteFor', () => {
  it('emphasises on a terminal, and ends each emphasis', () => {
    const { strong, faint, bad } = paletteFor({ isTerminal: true }, { TERM: 'xterm' });
    const texts = [strong('a'), faint('a'), bad('a')];
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) {
      expect(text.startsWith('\u001b[')).toBe(true);
      expect(text.endsWith('a\u001b[0m')).toBe(true);
    }
  });

  it.each([
    ['in a pipe', { isTerminal: false }, {}],
    ['where NO_COLOR is set', { isTerminal: true }, { NO_COLOR: '1' }],
    ['on a terminal that has no colour', { isTerminal: true }, { TERM: 'dumb' }],
  ])('leaves text plain %s', (_, stream, env) => {
    expect(paletteFor(stream, env)).toBe(plainPalette);
    expect(plainPalette.strong('a') + plainPalette.faint('b') + plainPalette.bad('c')).toBe('abc');
  });

  it('takes an empty NO_COLOR for one that is not set', () => {
    expect(paletteFor({ isTerminal: true }, { NO_COLOR: '' })).not.toBe(plainPalette);
  });
});
