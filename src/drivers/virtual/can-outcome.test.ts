import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { arbitrationKey } from './can-outcome.ts';

const { extended, remote, fd } = frameFlag;

describe('arbitrationKey', () => {
  it.each([
    ['a lower identifier', 0x122, 0, 0x123, 0],
    ['a lower extended identifier', 0x18ff_0001, extended, 0x18ff_0002, extended],
    ['a data frame over a remote one', 0x123, 0, 0x123, remote],
    ['an extended data frame over a remote one', 0x456, extended, 0x456, extended | remote],
    ['a standard frame over an extended one of the same base', 0x123, 0, 0x123 << 18, extended],
    ['even a remote standard frame', 0x123, remote, 0x123 << 18, extended],
    ['an extended frame with the lower base', 0x122 << 18, extended, 0x123, 0],
    ['the lowest over the highest', 0, 0, 0x1fff_ffff, extended | remote],
  ])('lets win: %s', (_, winnerId, winnerFlags, loserId, loserFlags) => {
    const winner = arbitrationKey(winnerId, winnerFlags);
    expect(winner).toBeLessThan(arbitrationKey(loserId, loserFlags));
    expect(winner).toBeGreaterThanOrEqual(0);
  });

  it('does not tell CAN FD from classic CAN', () => {
    expect(arbitrationKey(0x123, fd)).toBe(arbitrationKey(0x123, 0));
  });
});
