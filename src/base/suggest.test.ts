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
    ['DAEMON', 'daemon'],
    ['Wbe', 'web'],
  ])('takes %s for %s', (word, meant) => {
    expect(suggest(word, commands)).toBe(meant);
  });

  it.each(['x', 'start', 'frobnicate', 'wxyz', 'hxxx'])('has nothing to offer for %s', (word) => {
    expect(suggest(word, commands)).toBeNull();
  });

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

  it('offers no name of which more than a third of the letters differ', () => {
    expect(suggest('A', ['u'])).toBeNull();
    expect(suggest('ab', ['ax'])).toBeNull();
    expect(suggest('ccvs', ['CCVS', 'EEC1'])).toBe('CCVS');
  });

  it('has nothing to offer where there is nothing', () => {
    expect(suggest('web', [])).toBeNull();
  });
});
