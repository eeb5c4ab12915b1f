import { describe, expect, it } from 'vitest';
import { idsOf, range, StreamBench } from './support/stream-bench.ts';

const responseLimit = 2 * 1024 * 1024;

describe('a page of history with the longest payloads', () => {
  it('shrinks to what an answer may hold, and the next ones give the rest', async () => {
    const bench = await StreamBench.start();
    const frames = 4096;
    await bench.send(0, frames, { fd: true, brs: true, data: 'A5'.repeat(64) });

    const page = await bench.get('/messages/history?limit=4096');
    expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(responseLimit);
    const { events, next_after } = page.json();
    expect(events.length).toBeLessThan(4096);
    expect(next_after).toBe(events.length);
    // Most of the size limit is used.
    expect(Buffer.byteLength(page.text)).toBeGreaterThan(responseLimit / 2);

    const all = await bench.pages('limit=4096');
    expect(idsOf(all.events)).toEqual(range(1, 2 * frames));
    expect(new Set(all.events.map(({ data }) => data))).toEqual(new Set(['A5'.repeat(64)]));
  });
});
