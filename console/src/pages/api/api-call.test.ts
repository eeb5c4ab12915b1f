import { describe, expect, it } from 'vitest';
import { maxShown, shownText } from './api-call.ts';

describe('an answer on the page', () => {
  it('is laid out where it is JSON', () => {
    expect(shownText('{"a":[1]}')).toEqual({ shown: '{\n  "a": [\n    1\n  ]\n}', isCut: false });
  });

  it('stays as it is where it is not', () => {
    expect(shownText('up 1\n').shown).toBe('up 1\n');
  });

  it('is cut where it is longer than a page can show', () => {
    const { shown, isCut } = shownText(JSON.stringify('x'.repeat(maxShown)));
    expect([shown.length, isCut]).toEqual([maxShown, true]);
  });
});
