import { describe, expect, it } from 'vitest';
import { openTrace } from '../trace/open-trace.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { Pdu } from './pdu.ts';
import { TracePdus } from './trace-pdus.ts';

const sourceOf = (text: string) => {
  let rest: Uint8Array = Buffer.from(text);
  return {
    size: rest.length,
    read: (into: Uint8Array) => {
      const part = rest.subarray(0, into.length);
      into.set(part);
      rest = rest.subarray(part.length);
      return part.length;
    },
  };
};

const pdusOf = (text: string, capacity = 4096): Pdu[] => {
  const reader = openTrace(sourceOf(text));
  const pdus: Pdu[] = [];
  const trace = new TracePdus(reader.startUnixUs, (pdu) => pdus.push(pdu));
  const batch = new TraceBatch(capacity);
  for (let more = true; more; ) {
    more = reader.read(batch);
    trace.take(batch);
  }
  trace.end();
  return pdus;
};

const line = (seconds: string, frame: string, channel = 'can0') =>
  `(1700000000.${seconds}) ${channel} ${frame}\n`;

const broadcast = (channel = 'can0') =>
  line('100000', '1CECFF00#200E0002FFCAFE00', channel) +
  line('150000', '123#00', channel) +
  line('200000', '1CEBFF00#0145F1BE00020500', channel) +
  line('250000', '1CEBFF00#02F0FF7E6E000001', channel);

describe('PDUs of a trace', () => {
  it.each([4096, 1])('count events of the file, read in batches of %i', (capacity) => {
    expect(pdusOf(broadcast(), capacity)).toMatchObject([
      {
        status: 'complete',
        firstEventId: 1,
        lastEventId: 4,
        timestampUs: 1_700_000_000_250_000,
        durationUs: 150_000,
        length: 14,
      },
    ]);
  });

  it('are kept apart by channel', () => {
    const lines = [broadcast('can0'), broadcast('can1')].map((text) => text.split('\n'));
    const mixed = lines[0]?.flatMap((text, at) => [text, lines[1]?.[at]]).join('\n') ?? '';
    const pdus = pdusOf(mixed);
    expect(pdus.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(new Set(pdus.map(({ channel }) => channel)).size).toBe(2);
  });

  it('are open at the end of the file, or expired by its last event', () => {
    const start = line('100000', '1CECFF00#200E0002FFCAFE00');
    expect(pdusOf(start)).toMatchObject([{ status: 'open' }]);
    expect(pdusOf(start + line('900000', '123#00'))).toMatchObject([{ status: 'timeout' }]);
  });
});

describe('ISO-TP in a trace', () => {
  const conversation = (channel = 'can0') =>
    line('100000', '7E0#0322F190', channel) +
    line('101000', '7E8#101462F190574241', channel) +
    line('102000', '7E0#300000', channel) +
    line('103000', '7E8#2142555342415230', channel) +
    line('104000', '7E8#2230303030303031', channel);

  it('is found with the numbers and times of its frames', () => {
    expect(pdusOf(broadcast() + conversation(), 2)).toMatchObject([
      { protocol: 'j1939', status: 'complete' },
      { protocol: 'isotp', status: 'complete', id: 0x7e0, firstEventId: 5 },
      {
        ...{ status: 'complete', id: 0x7e8, length: 20, frames: 4, durationUs: 3000 },
        ...{ firstEventId: 6, lastEventId: 9, timestampUs: 1_700_000_000_104_000 },
      },
    ]);
  });

  it('is apart for each channel', () => {
    const lines = [conversation('can0'), conversation('can1')].map((text) => text.split('\n'));
    const mixed = lines[0]?.flatMap((text, at) => [text, lines[1]?.[at]]).join('\n') ?? '';
    expect(pdusOf(mixed).map(({ channel, id }) => [channel, id])).toEqual([
      [1, 0x7e0],
      [2, 0x7e0],
      [1, 0x7e8],
      [2, 0x7e8],
    ]);
  });

  it('is open at the end, or has timed out', () => {
    const first = line('100000', '7E8#101462F190574241');
    const later = '(1700000009.000000) can0 123#00\n';
    expect(pdusOf(first)).toMatchObject([{ status: 'open' }]);
    expect(pdusOf(first + later)).toMatchObject([{ status: 'timeout' }]);
    const soon = '(1700000001.500000) can0 123#00\n';
    expect(pdusOf(first + soon)).toMatchObject([{ status: 'timeout' }]);
  });

  it('is of LIN where the frames are', () => {
    const asc = [
      'date Tue Nov 14 10:13:20.000 pm 2023',
      'base hex  timestamps absolute',
      '0.010000 L1 3c Tx 8 01 03 22 f1 90 ff ff ff checksum = 5b',
      '0.020000 1 03C Rx d 8 01 03 22 F1 90 FF FF FF',
      '0.030000 L1 3d Rx 8 01 03 7f 22 31 ff ff ff checksum = 2d',
      '',
    ];
    expect(pdusOf(asc.join('\n'))).toMatchObject([
      { protocol: 'lin', id: 0x3c, address: 1, length: 3 },
      { protocol: 'lin', id: 0x3d, address: 1, length: 3 },
    ]);
  });
});
