import { describe, expect, it } from 'vitest';
import { namesIn } from './name-list.ts';

describe('namesIn', () => {
  it.each([
    ['', []],
    ['  ,; ', []],
    ['host:1', ['host:1']],
    ['a:1, b:2;c:3\n[::1]:4', ['a:1', 'b:2', 'c:3', '[::1]:4']],
  ])('finds in %j %j', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});
