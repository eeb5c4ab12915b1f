import { describe, expect, it } from 'vitest';
import { AddressBook } from './address-book.ts';
import { claimFrame, isClaimId } from './claim-frames.ts';

class Bus {
  readonly book = new AddressBook();
  timeUs = 0;
  events = 0;

  claim(name: bigint, address: number, afterMs = 10, channel = 0): this {
    const { id, data } = claimFrame(name, address);
    expect(isClaimId(id)).toBe(true);
    this.timeUs += afterMs * 1000;
    this.book.take(channel, id, data, 0, data.length, this.timeUs, ++this.events);
    return this;
  }

  get owners(): (string | number | null)[][] {
    return this.book.nodes(this.timeUs).map(({ name, address }) => [String(name), address]);
  }

  pass(ms: number): this {
    this.timeUs += ms * 1000;
    return this;
  }
}

describe('AddressBook', () => {
  it('shows who has claimed which address, and when', () => {
    const bus = new Bus().claim(5n, 0x80).claim(3n, 0x21).claim(4n, 0x21, 10, 1);
    expect(bus.book.nodes(bus.timeUs)).toEqual([
      { channel: 0, name: 3n, address: 0x21, timestampUs: 20_000, eventId: 2 },
      { channel: 0, name: 5n, address: 0x80, timestampUs: 10_000, eventId: 1 },
      { channel: 1, name: 4n, address: 0x21, timestampUs: 30_000, eventId: 3 },
    ]);
    bus.book.close(0);
    expect(bus.book.nodes(bus.timeUs)).toHaveLength(1);
  });

  it('assigns an address to the lower NAME immediately', () => {
    expect(new Bus().claim(5n, 1).claim(4n, 1).owners).toEqual([
      ['4', 1],
      ['5', null],
    ]);
  });

  it('keeps the owner that defends its address', () => {
    const bus = new Bus().claim(4n, 1).claim(5n, 1);
    expect(bus.owners).toEqual([
      ['4', 1],
      ['5', null],
    ]);
    expect(bus.claim(4n, 1).pass(1000).owners).toEqual([
      ['4', 1],
      ['5', null],
    ]);
  });

  it('assigns the address of an owner that no longer answers to the next node', () => {
    const bus = new Bus().claim(4n, 1).claim(5n, 1);
    expect(bus.pass(251).owners).toEqual([
      ['5', 1],
      ['4', null],
    ]);
  });

  it('forgets the address of a node that claims another one, or none', () => {
    const bus = new Bus().claim(4n, 1).claim(4n, 2).claim(5n, 1);
    expect(bus.owners).toEqual([
      ['5', 1],
      ['4', 2],
    ]);
    expect(bus.claim(4n, 254).owners).toEqual([
      ['5', 1],
      ['4', null],
    ]);
  });

  it('ignores what is no claim', () => {
    const { book } = new Bus();
    const { id, data } = claimFrame(1n, 1);
    book.take(0, id, data, 0, 7, 0, 1);
    book.take(0, id, new Uint8Array(8), 0, 8, 0, 1);
    book.take(0, id | 0xff, data, 0, 8, 0, 1);
    book.take(0, (id & ~0xff00) | 0x2100, data, 0, 8, 0, 1);
    expect(book.nodes(0)).toEqual([]);
  });

  it('forgets the oldest of more nodes than its limit', () => {
    const bus = new Bus();
    for (let name = 1n; name <= 518n; name++) bus.claim(name, 254);
    expect(bus.owners).toHaveLength(512);
    expect(bus.owners[0]).toEqual(['7', null]);
  });
});
