import { describe, expect, it } from 'vitest';
import { rulesOf } from './kernel-routes.ts';

const end = (index: number | undefined, hasFd = true) => ({ index, hasFd });
const target = { sn: 'vcan1', port: 0 };
const job = { id: 0x1f0, mask: 0x700, extended: false, target, targetId: 0x600 };

describe('the rules of a route', () => {
  it('are one for each kind of frame, with the flags of the kind', () => {
    expect(rulesOf(job, end(4), end(5))).toEqual([
      { source: 4, target: 5, fd: false, filter: { id: 0x100, mask: 0xc0000700 }, setId: 0x600 },
      {
        source: 4,
        target: 5,
        fd: false,
        filter: { id: 0x40000100, mask: 0xc0000700 },
        setId: 0x40000600,
      },
      { source: 4, target: 5, fd: true, filter: { id: 0x100, mask: 0xc0000700 }, setId: 0x600 },
    ]);
  });

  it('keep the identifier where it is not to change', () => {
    const wide = { ...job, id: 0x18ff0000, mask: 0x1fff0000, extended: true, targetId: undefined };
    expect(rulesOf(wide, end(4, false), end(5))).toMatchObject([
      { filter: { id: 0x98ff0000, mask: 0xdfff0000 }, setId: undefined },
      { filter: { id: 0xd8ff0000, mask: 0xdfff0000 }, setId: undefined },
    ]);
  });

  it('are none while an interface is gone', () => {
    expect(rulesOf(job, end(undefined), end(5))).toEqual([]);
    expect(rulesOf(job, end(4), end(undefined))).toEqual([]);
  });
});
