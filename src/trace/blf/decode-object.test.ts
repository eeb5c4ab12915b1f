import { describe, expect, it } from 'vitest';
import { MemorySource } from '../testing/memory-bytes.ts';
import { readTrace, restOf, type TraceEvent } from '../testing/trace-events.ts';
import { readBlf } from './read-blf.ts';
import { container, file, object, words } from './testing/blf-bytes.ts';

const read = (...objects: Uint8Array[]) =>
  readTrace(readBlf, file(container(Buffer.concat(objects))));
const eventOf = (...objects: Uint8Array[]): TraceEvent | undefined => read(...objects).events[0];

describe('times', () => {
  const timed = (parts: Parameters<typeof object>[2]) =>
    eventOf(object(2, words([2, 3], [2, 0], [4, 0]), parts))?.timeNs;

  it('count ticks of 10 µs or nanoseconds', () => {
    expect(timed({ timeNs: 123_456, unit: 1 })).toBe(1_234_560_000);
    expect(timed({ timeNs: 123_456, unit: 2 })).toBe(123_456);
    expect(timed({ timeNs: 7, unit: 0 })).toBe(7);
  });

  it('are exact over months', () => {
    expect(timed({ timeNs: 2 ** 52 + 1 })).toBe(2 ** 52 + 1);
    expect(timed({ timeNs: 2 ** 32 - 1 })).toBe(2 ** 32 - 1);
  });

  it('are found in longer headers too', () => {
    expect(timed({ timeNs: 5, headerSize: 40 })).toBe(5);
    expect(timed({ timeNs: 6, headerSize: 300 })).toBe(6);
  });
});

describe('other objects', () => {
  it('are passed over and counted by what they are', () => {
    const types = [4, 54, 65, 92, 96, 5, 71, 22, 85, 98, 110, 72, 115, 160, 4095];
    const { events, account } = read(...types.map((type) => object(type, Buffer.alloc(40))));
    expect(events).toEqual([]);
    expect(account).toMatchObject({ malformed: 0, truncated: false });
    expect(account.skipped).toEqual({
      statistics: 2,
      text: 1,
      comment: 1,
      marker: 1,
      trigger: 1,
      ethernet: 1,
      most: 2,
      afdx: 1,
      a429: 1,
      system_variable: 1,
      restore_points: 1,
      type_160: 1,
      type_4095: 1,
    });
  });

  it('name channels', () => {
    const name = (channel: number, text: string, length = text.length) =>
      object(
        65,
        Buffer.concat([words([4, 1], [4, channel << 8], [4, length], [4, 0]), Buffer.from(text)]),
      );
    const objects = [
      name(1, 'C:\\Bus\\Chassis.dbc;Chassis;'),
      name(2, 'x.dbc;Doors'),
      name(2, 'x.dbc;Windows'),
      name(3, 'no more than a path'),
      name(4, `${'long'.repeat(300)};unseen`),
      name(5, ';cut short', 4),
      object(65, words([4, 0], [4, 6 << 8], [4, 4])),
    ];
    const reader = readBlf(new MemorySource(file(container(Buffer.concat(objects)))));
    expect(reader.channelNames?.size).toBe(0);
    expect(restOf(reader)).toEqual([]);
    expect([...(reader.channelNames ?? [])]).toEqual([
      [1, 'Chassis'],
      [2, 'Doors'],
      [5, 'cut'],
    ]);
    expect(reader.account).toMatchObject({ malformed: 0, skipped: { text: 7 } });
  });
});
