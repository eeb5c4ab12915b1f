import { describe, expect, it } from 'vitest';
import { withArticle } from './trace-format.ts';

describe('withArticle', () => {
  it.each([
    ['ASC trace', 'an ASC trace'],
    ['MF4 trace', 'an MF4 trace'],
    ['BLF trace', 'a BLF trace'],
    ['candump log', 'a candump log'],
    ['CSV table', 'a CSV table'],
  ])('of %s is %s', (title, text) => {
    expect(withArticle(title, 'a')).toBe(text);
  });
});
