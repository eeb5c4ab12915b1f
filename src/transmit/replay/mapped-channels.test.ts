import { describe, expect, it } from 'vitest';
import { busCode } from '../../frame/frm2-layout.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';
import { MappedChannels } from './mapped-channels.ts';

const asc = { file: 'drive.asc', format: 'asc' } as const;
const log = { file: 'drive.log', format: 'candump' } as const;

/** Mappings of the rows of such channels: `L1` is LIN 1. */
const routed = (channels: MappedChannels, file: number, ...seen: string[]): number[] => {
  const batch = new TraceBatch(8);
  for (const [row, text] of seen.entries()) {
    batch.channel[row] = Number(text.replace('L', ''));
    batch.bus[row] = text.startsWith('L') ? busCode.lin : busCode.can;
  }
  batch.count = seen.length;
  channels.files[file]?.route(batch);
  return [...batch.channel.subarray(0, batch.count)];
};

describe('the search for mapped channels', () => {
  it.each<[mapped: string[], seen: string[], missing: string | null]>([
    [['1'], ['1'], null],
    [['1'], ['L1'], null],
    [['1', '7'], ['1', '2'], '7'],
    [['L1'], ['1'], 'L1'],
    [['1', 'C1'], ['1'], '1'],
    [['1', 'L1'], ['1', 'L1'], null],
    [['1'], [], '1'],
  ])('finds of %j among %j all but %j', (mapped, seen, missing) => {
    const channels = new MappedChannels(mapped, [asc]);
    routed(channels, 0, ...seen);
    expect(channels.isDone).toBe(missing === null);
    expect(channels.refusal?.details.file_channel ?? null).toBe(missing);
  });

  it('goes by names where channels have them', () => {
    const channels = new MappedChannels(['can1', '1', 'can7'], [log]);
    channels.files[0]?.learn([
      [1, 'can0'],
      [2, 'can1'],
    ]);
    expect(routed(channels, 0, '1', '2')).toEqual([2, 1]);
    expect(channels.refusal?.details).toMatchObject({
      file_channel: 'can7',
      file_channels: ['can0', 'can1'],
    });
  });

  it('tells what there is instead', () => {
    const channels = new MappedChannels(['7'], [asc]);
    channels.files[0]?.learn([[3, 'a name that cannot be mapped']]);
    routed(channels, 0, 'L2', '3', '1');
    expect(channels.refusal).toMatchObject({
      message: 'drive.asc has no channel 7; available: 1, 3, L2',
      details: {
        field: 'channels',
        reason: 'no_such_channel',
        file_channel: '7',
        file_channels: ['1', '3', 'L2'],
      },
    });
    const twice = new MappedChannels(['1', 'C1'], [asc]);
    routed(twice, 0, '1');
    expect(twice.refusal).toMatchObject({
      message: 'Channel 1 of drive.asc is mapped twice',
      details: { field: 'channels', reason: 'mapped_twice', file_channel: '1' },
    });
    expect(new MappedChannels(['7'], [asc]).refusal?.message).toContain('no events');
  });

  it.each<[mapped: string, formats: TraceFormat[], isRight: boolean]>([
    ['1', ['asc'], true],
    ['can0', ['asc'], false],
    ['0', ['blf'], false],
    ['can0', ['candump'], true],
    ['2:1', ['candump'], true],
    ['2:1', ['asc'], false],
    ['can0', ['asc', 'candump'], true],
    ['2:can0', ['asc', 'candump'], true],
    ['1:can0', ['asc', 'candump'], false],
    ['2:L1', ['asc', 'asc'], true],
    ['3:1', ['asc', 'asc'], true],
    ['17:1', ['asc', 'asc'], false],
  ])('takes %s of %j as a channel: %s', (mapped, formats, isRight) => {
    const channels = new MappedChannels(
      [mapped],
      formats.map((format) => ({ file: 'a', format })),
    );
    const check = expect(() => channels.check());
    if (isRight) check.not.toThrow();
    else {
      const details = { field: 'channels', reason: 'bad_file_channel', file_channel: mapped };
      check.toThrow(expect.objectContaining({ code: 'invalid_argument', details }));
    }
  });
});

describe('the channels of several files', () => {
  it('are mapped in every file, or in one where its number comes first', () => {
    const channels = new MappedChannels(['1', '2:1', '1:L4', 'can0'], [asc, asc, log]);
    channels.files[2]?.learn([
      [1, 'can1'],
      [2, 'can0'],
    ]);
    expect(routed(channels, 0, '1', '4', 'L4')).toEqual([1, 0, 3]);
    expect(routed(channels, 1, '1', 'L4')).toEqual([2, 0]);
    expect(routed(channels, 2, '1', '2')).toEqual([1, 4]);
    expect(channels.isDone).toBe(true);
  });

  it('are missing where no file has them, and all are listed with their file', () => {
    const channels = new MappedChannels(['1', '2:1', '7'], [asc, log]);
    channels.files[1]?.learn([[1, 'can0']]);
    routed(channels, 0, '1');
    routed(channels, 1, '1');
    expect(channels.refusal).toMatchObject({
      message: 'drive.asc, drive.log have no channel 7; available: 1:1, 2:can0',
      details: { file_channel: '7', file_channels: ['1:1', '2:can0'] },
    });
    expect(new MappedChannels(['7'], [asc, asc]).refusal?.message).toContain(
      'files have no events',
    );
  });
});
