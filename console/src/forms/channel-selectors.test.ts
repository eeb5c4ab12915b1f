import { describe, expect, it } from 'vitest';
import { type Directory, meaningOf } from '../../../src/bench/channel-lookup.ts';
import { parseSelector, stableSelector } from '../../../src/bench/selector.ts';
import type { Channel } from '../api/client.ts';
import {
  channelOf,
  type SelectorSources,
  selectorChoices,
  sourceProblems,
} from './channel-selectors.ts';

const channel = (slot: number, port: number, given: Partial<Channel> = {}) =>
  ({
    slot,
    selector: `SIM1/${port}`,
    uid_selector: `sim-1/${port}`,
    name: null,
    bus: 'canfd',
    ...given,
  }) as Channel;

const sources: SelectorSources = {
  channels: [channel(0, 3, { name: 'engine' }), channel(4, 0, { bus: 'lin' })],
  networks: {
    powertrain: { channel: 'SIM1/3' },
    body: { channel: 'sim-1/0' },
    spare: { channel: null },
    elsewhere: { channel: 'SIM1/7' },
    plc: { tcp: { host: 'plc', port: 502 } },
    engine: { channel: 'SIM1/0' },
  },
};

describe('channelOf', () => {
  it.each([
    ['SIM1/3', 0],
    ['sim-1/3', 0],
    ['engine', 0],
    ['0', 0],
    ['4', 4],
    ['powertrain', 0],
    ['body', 4],
    ['SIM1/03', 0],
    ['sim-1/000', 4],
  ])('finds behind %s the channel in slot %i', (selector, slot) => {
    expect(channelOf(selector, sources)?.slot).toBe(slot);
  });

  it.each(['', '3', 'SIM1/7', 'spare', 'elsewhere', 'plc', 'nobody', 'toString', 'SIM1/'])(
    'finds nothing behind %j',
    (selector) => {
      expect(channelOf(selector, sources)).toBeNull();
    },
  );
});

describe('a selector that the service knows', () => {
  const networks = { ...sources.networks, rear: { channel: 'SIM1/00' } };
  const channelWhere = (isMeant: (channel: Channel) => boolean) => sources.channels.find(isMeant);
  const ports = [0, 3, 5].map((port) => ({ port }));
  const directory = {
    channelIn: (slot: number) => channelWhere((each) => each.slot === slot),
    channelAt: (sn: string, port: number) =>
      channelWhere(({ selector }) => selector === stableSelector(sn, port)),
    devices: [{ driver: 'virtual', info: { sn: 'SIM1', uid: 'sim-1', ports } }],
    bench: { devices: [], networks },
  } as unknown as Directory;

  /** The slot of the open channel that the service finds; null if none. */
  const slotInService = (text: string): number | null => {
    try {
      const selector = parseSelector(text);
      const named = channelWhere(({ name }) => selector.form === 'word' && name === selector.word);
      if (named) return named.slot;
      const meaning = meaningOf(selector, directory);
      return meaning.is === 'open' ? meaning.channel.slot : null;
    } catch {
      return null;
    }
  };

  const devices = ['SIM1', 'sim-1', 'SIM2', 'engine', ''];
  const texts = [
    ...devices.flatMap((device) =>
      ['0', '00', '3', '03', '5', '7', ''].map((n) => `${device}/${n}`),
    ),
    ...['0', '4', '04', '9', '', 'a b', 'SIM1/0/3', 'SIM1', 'engine', 'nobody'],
    ...Object.keys(networks),
  ];

  it.each(texts)('means the same channel in the console: %j', (text) => {
    expect(channelOf(text, { ...sources, networks })?.slot ?? null).toBe(slotInService(text));
  });
});

describe('selectorChoices', () => {
  it('offers the open channels, and networks that lead to one of them by a name of their own', () => {
    expect(selectorChoices(sources)).toEqual([
      { value: 'SIM1/3', label: 'SIM1/3 · engine · CAN FD' },
      { value: 'SIM1/0', label: 'SIM1/0 · LIN' },
      { value: 'powertrain', label: 'powertrain · network on SIM1/3' },
      { value: 'body', label: 'body · network on SIM1/0' },
    ]);
  });

  it('offers only what suits', () => {
    const values = selectorChoices(sources, ({ bus }) => bus === 'lin').map(({ value }) => value);
    expect(values).toEqual(['SIM1/0', 'body']);
  });
});

describe('sourceProblems', () => {
  it('refuses at the field what is no open channel, and leaves nothing typed to the contract', () => {
    expect(sourceProblems('channel', 'engine', sources)).toEqual([]);
    expect(sourceProblems('channel', '', sources)).toEqual([]);
    expect(sourceProblems('channel', 'spare', sources)).toEqual([
      { field: 'channel', message: 'No such open channel or bound network' },
    ]);
  });
});
