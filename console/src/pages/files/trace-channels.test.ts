import { describe, expect, it } from 'vitest';
import { aChannel, aSummary } from './testing/summaries.ts';
import { fileChannels } from './trace-channels.ts';

const namesOf = (fields: Parameters<typeof aSummary>[0]): string[] =>
  fileChannels(aSummary(fields)).map(({ name }) => name);

describe('the channels of a file', () => {
  it('are named by their numbers, with a letter where CAN and LIN have the same one', () => {
    const channels = [
      aChannel(1),
      aChannel(2),
      aChannel(2, { bus: 'lin' }),
      aChannel(3, { bus: 'lin' }),
    ];
    expect(namesOf({ channels })).toEqual(['1', 'C2', 'L2', '3']);
  });

  it('are named as the interfaces of a candump log', () => {
    const channels = [aChannel(1, { name: 'can0' }), aChannel(2, { name: 'vcan7' })];
    expect(namesOf({ channels, format: 'candump' })).toEqual(['can0', 'vcan7']);
    expect(namesOf({ channels, format: 'blf' })).toEqual(['1', '2']);
  });

  it('have the names that other files give them beside their numbers', () => {
    const channels = [aChannel(1, { name: 'powertrain (SIM00001/1)' }), aChannel(2)];
    const notesOf = (format: 'asc' | 'candump') =>
      fileChannels(aSummary({ channels, format })).map(({ note }) => note);
    expect(notesOf('asc')).toEqual(['powertrain (SIM00001/1)', null]);
    expect(notesOf('candump')).toEqual([null, null]);
  });

  it('tell how far into the file each has events', () => {
    const channels = [aChannel(1), aChannel(2, { first_us: 500_000, last_us: 600_000 })];
    expect(fileChannels(aSummary({ channels })).map(({ endUs }) => endUs)).toEqual([
      2_500_000, 100_000,
    ]);
  });
});
