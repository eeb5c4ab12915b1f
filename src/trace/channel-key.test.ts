import { describe, expect, it } from 'vitest';
import { busCode } from '../frame/frm2-layout.ts';
import { channelKey, channelKeysOf, channelOfKey } from './channel-key.ts';

describe('the key of a channel', () => {
  it('is that of its number, apart for CAN and for LIN', () => {
    for (const channel of [0, 1, 65_535]) {
      const keys = [busCode.can, busCode.canfd, busCode.lin].map((bus) => channelKey(channel, bus));
      expect(keys[0]).toBe(keys[1]);
      expect(keys.map(channelOfKey)).toEqual([
        { channel, bus: 'can' },
        { channel, bus: 'can' },
        { channel, bus: 'lin' },
      ]);
    }
  });

  it('is named by the number, with a letter where one bus is meant', () => {
    const [can, lin] = [channelKey(12, busCode.can), channelKey(12, busCode.lin)];
    expect(channelKeysOf('12')).toEqual([can, lin]);
    expect(channelKeysOf('C12')).toEqual([can]);
    expect(channelKeysOf('L12')).toEqual([lin]);
    for (const text of ['', 'L', 'l12', '012', '65536', '12 ', 'X12', '-1', '1e3']) {
      expect(channelKeysOf(text)).toEqual([]);
    }
  });
});
