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
