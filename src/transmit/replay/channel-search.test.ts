import { describe, expect, it } from 'vitest';
import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey } from '../../trace/channel-key.ts';
import { ChannelSearch, channelsMissing } from './channel-search.ts';

const can = (channel: number): number => channelKey(channel, busCode.can);
const lin = (channel: number): number => channelKey(channel, busCode.lin);

describe('the search for mapped channels', () => {
  it.each<[mapped: string[], seen: number[], missing: string[]]>([
    [['1'], [can(1)], []],
    [['1'], [lin(1)], []],
    [['1', '7'], [can(1), can(2)], ['7']],
    [['L1'], [can(1)], ['L1']],
    [['1', 'C1'], [can(1)], ['1']],
    [['1', 'L1'], [can(1), lin(1)], []],
    [['1'], [], ['1']],
  ])('finds of %j among %j all but %j', (mapped, seen, missing) => {
    const search = new ChannelSearch(mapped, false);
    for (const key of seen) search.see(key);
    expect(search.missing).toEqual(missing);
    expect(search.isDone).toBe(missing.length === 0);
  });

  it('goes by names where channels have them', () => {
    const search = new ChannelSearch(['can1', '1', 'can7'], true);
    search.learn([
      [1, 'can0'],
      [2, 'can1'],
    ]);
    search.see(can(1));
    search.see(can(2));
    expect(search.missing).toEqual(['can7']);
    expect(search.channels).toEqual(['can0', 'can1']);
  });

  it('tells what there is instead', () => {
    const search = new ChannelSearch(['7'], false);
    search.learn([[can(3), 'a name that cannot be mapped']]);
    for (const key of [lin(2), can(3), can(1)]) search.see(key);
    const { message, details } = channelsMissing('drive.asc', search);
    expect(message).toBe('drive.asc has no channel 7; available: 1, 3, L2');
    expect(details).toEqual({
      field: 'channels',
      reason: 'no_such_channel',
      file_channel: '7',
      file_channels: ['1', '3', 'L2'],
    });
    const twice = new ChannelSearch(['1', 'C1'], false);
    twice.see(can(1));
    expect(channelsMissing('drive.asc', twice)).toMatchObject({
      message: 'Channel 1 of drive.asc is mapped twice',
      details: { field: 'channels', reason: 'mapped_twice', file_channel: '1' },
    });
    expect(channelsMissing('a', new ChannelSearch(['7'], false)).message).toContain('no events');
  });
});
