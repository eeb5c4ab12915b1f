import { describe, expect, it } from 'vitest';
import { namesIn, reasonsText } from './peer-columns.ts';

describe('reasonsText', () => {
  it('names the reasons that happened', () => {
    expect(reasonsText({ bus_off: 4, not_sendable: 0, queue_full: 1 })).toBe(
      '4 × bus off, 1 × queue full',
    );
    expect(reasonsText({ bus_off: 0 })).toBe('');
  });
});

describe('namesIn', () => {
  it.each([
    ['', []],
    ['  ,; ', []],
    ['host:1', ['host:1']],
    ['a:1, b:2;c:3\n[::1]:4', ['a:1', 'b:2', 'c:3', '[::1]:4']],
  ])('finds in %j %j', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});

import published from '../../../../docs/reference/openapi.json' with { type: 'json' };
import { channelColumns, type Peer, peerFigures } from './peer-columns.ts';

const peer: Peer = {
  peer: '127.0.0.1:20911',
  datagrams_sent: 1,
  frames_sent: 2,
  datagrams_received: 3,
  frames_received: 4,
  lost_datagrams: 5,
  reordered: 6,
  duplicates: 7,
  jumps: 8,
  malformed: { version: 9, opcode: 10, truncated: 11, count: 12 },
  invalid_frames: 13,
  error_frames: 14,
  last_received_at_us: null,
};

interface Counts {
  readonly [name: string]: number | string | null | Counts;
}

const numbersIn = (record: Counts): readonly number[] =>
  Object.values(record).flatMap((value) => {
    if (typeof value === 'number') return [value];
    return typeof value === 'object' && value !== null ? numbersIn(value) : [];
  });

describe('peerFigures', () => {
  it('shows every counter that the contract has of a peer', () => {
    const { properties } = published.components.schemas.RemoteForwarding;
    expect(Object.keys(peer).sort()).toEqual(Object.keys(properties.peers.items.properties).sort());
    const shown = peerFigures(peer).map(([, value]) => value);
    expect(numbersIn(peer as unknown as Counts)).toHaveLength(14);
    for (const count of numbersIn(peer as unknown as Counts)) expect(shown).toContain(`${count}`);
  });

  it('says when nothing was ever heard of it', () => {
    expect(peerFigures(peer)).toContainEqual(['Last received', 'never']);
  });
});

describe('channelColumns', () => {
  it('shows every counter that the contract has of a channel', () => {
    const channel = {
      selector: 'SIM00001/1',
      slot: 1,
      open: false,
      sent: 3,
      refused: { bus_off: 4, queue_full: 5 },
      dropped: 6,
      expired: 7,
      queued: 8,
    };
    const texts = channelColumns.map(({ text }) => text(channel));
    expect(texts).toEqual(['SIM00001/1 (closed)', '3', '9', '6', '7', '8']);
  });
});
