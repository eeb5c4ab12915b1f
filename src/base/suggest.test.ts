import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

const commands = ['help', 'version', 'daemon', 'web', 'operation', 'job', 'capabilities'];

describe('suggest', () => {
  it.each([
    ['web', 'web'],
    ['wbe', 'web'],
    ['we', 'web'],
    ['webb', 'web'],
    ['hlep', 'help'],
    ['hepl', 'help'],
    ['versoin', 'version'],
    ['verison', 'version'],
    ['deamon', 'daemon'],
    ['damon', 'daemon'],
    ['operations', 'operation'],
    ['capability', 'capabilities'],
    ['capabilites', 'capabilities'],
  ])('takes %s for %s', (word, meant) => {
    expect(suggest(word, commands)).toBe(meant);
  });

  it.each(['x', 'start', 'frobnicate', 'wxyz', 'hxxx', 'DAEMON'])(
    'has nothing to offer for %s',
    (word) => {
      expect(suggest(word, commands)).toBeNull();
    },
  );

  it('offers the nearest of several near ones', () => {
    expect(suggest('stat', ['status', 'start', 'stop'])).toBe('start');
    expect(suggest('statu', ['start', 'status'])).toBe('status');
  });

  it('offers the first of equally near ones', () => {
    expect(suggest('cat', ['car', 'can'])).toBe('car');
  });

  it('counts a swap of neighbours as one edit', () => {
    // Two replacements are too many for a word of five letters.
    expect(suggest('satrt', ['start'])).toBe('start');
    expect(suggest('stxyt', ['start'])).toBeNull();
  });

  it('has nothing to offer where there is nothing', () => {
    expect(suggest('web', [])).toBeNull();
  });
});
