import { beforeEach, describe, expect, it } from 'vitest';
import { ChannelNames, SeenChannels } from './channel-names.ts';

const second = 1_000_000;
let seen: SeenChannels;

const opened = (slot: number, name: string | null, selector: string, at: number) => ({
  slot,
  name,
  selector,
  number: Number(selector.split('/')[1]) + 1,
  opened_at_us: at * second,
});

const nameOf = (slot: number, at: number): string | null =>
  new ChannelNames(seen.all).nameOf(slot, at * second);

beforeEach(() => {
  seen = new SeenChannels();
  seen.take([opened(0, 'powertrain', 'SIM00001/0', 10), opened(1, null, 'SIM00001/1', 10)]);
});

describe('names of channels', () => {
  it('are those that were given, and else the ports', () => {
    expect([nameOf(0, 11), nameOf(1, 11), nameOf(2, 11)]).toEqual([
      'powertrain',
      'SIM00001/1',
      null,
    ]);
  });

  it('come with the numbers of the ports, whatever slot they have', () => {
    seen.take([opened(7, 'again', 'SIM00001/1', 20)]);
    const names = new ChannelNames(seen.all);
    expect([0, 1, 7, 8].map((slot) => names.numberOf(slot, 30 * second))).toEqual([1, 2, 2, null]);
  });

  it('stay when the channel is closed', () => {
    seen.take([]);
    expect(nameOf(0, 99)).toBe('powertrain');
  });

  it('stay with the frames of a former daemon when another gives the slot to another channel', () => {
    seen.take([opened(0, 'body', 'SIM00002/0', 50)]);
    expect([nameOf(0, 11), nameOf(0, 49), nameOf(0, 50), nameOf(0, 99)]).toEqual([
      'powertrain',
      'powertrain',
      'body',
      'body',
    ]);
    expect(nameOf(1, 99)).toBe('SIM00001/1');
  });

  it('are in the order of the openings, in whatever order they are told', () => {
    seen.take([opened(0, 'third', 'SIM00003/0', 90)]);
    seen.take([opened(0, 'second', 'SIM00002/0', 50)]);
    expect([nameOf(0, 20), nameOf(0, 60), nameOf(0, 95)]).toEqual([
      'powertrain',
      'second',
      'third',
    ]);
  });

  it('cover frames that came before the channel was listed', () => {
    expect(nameOf(0, 9)).toBe('powertrain');
    seen.take([opened(0, 'body', 'SIM00002/0', 50)]);
    expect(nameOf(0, 49.99)).toBe('body');
  });

  it('are one and the same list, however often the same channels are told', () => {
    const before = seen.all;
    for (let i = 0; i < 3; i++) seen.take([opened(0, 'powertrain', 'SIM00001/0', 10)]);
    expect(seen.all).toBe(before);
    expect(before).toHaveLength(2);
  });
});
