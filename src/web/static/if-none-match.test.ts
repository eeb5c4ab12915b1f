import { describe, expect, it } from 'vitest';
import { matchesEntityTag } from './static-files.ts';

describe('an If-None-Match header', () => {
  it.each([
    ['the tag', '"abc"'],
    ['the tag marked weak', 'W/"abc"'],
    ['any', '*'],
    ['any, with spaces', ' * '],
    ['a list', '"x", "abc", "y"'],
    ['a list without spaces', '"x",W/"abc"'],
    ['a list with a comma in a tag', '"a,b", "abc"'],
    ['a list with empty members', ', ,"abc",'],
    ['several headers', ['"x"', '"abc"']],
  ])('matches as %s', (_form, header) => {
    expect(matchesEntityTag(header, '"abc"')).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['empty text', ''],
    ['another tag', '"abcd"'],
    ['the tag in another case', '"ABC"'],
    ['the tag without quotes', 'abc'],
    ['an unfinished tag', '"abc'],
    ['a star in a tag', '"*"'],
    ['a star in a list', '*, "x"'],
    ['no headers', []],
  ])('does not match as %s', (_form, header) => {
    expect(matchesEntityTag(header, '"abc"')).toBe(false);
  });
});
