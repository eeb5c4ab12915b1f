import { describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import type { EventView } from './support/channel-bench.ts';
import { setUpTransmitBench } from './support/transmit-bench.ts';

/** More than could be reported as single events in that time. */
const many = 5000;

const sumOf = (counts: readonly unknown[]): number =>
  counts.reduce<number>((sum, count) => sum + Number(count ?? 0), 0);

/** The number of error frames that a binary record represents, at its documented offset. */
const countIn = (bytes: Buffer): number => {
  const [length = 0, dlc = 0] = bytes.subarray(10, 12);
  if (bytes.readUInt32BE(20) === 0) return 0;
  return length === dlc + 4 ? bytes.readUInt32BE(64 + dlc) : 1;
};

const chipStates = (text: string): (string | undefined)[] =>
  [...text.matchAll(/CAN 1 Status:chip status (\D+?) - TxErr: (\d+) RxErr: 0$/gm)].map(
    ([, state, tx]) => `${state} ${tx}`,
  );

describe('the errors of a node without a partner', () => {
  it('are as many in statistics, history, streams and log, and so are the states', async () => {
    const bench = await setUpTransmitBench(0);
    await bench.create('logging', { file: 'lone.asc' });
    await bench.send({ channel: '0', type: 'data', id: 0x123, data: 'AA' });
    await bench.until(
      'channels/0/stats',
      ({ error_frames }: { error_frames: number }) => error_frames > many,
    );
    await bench.open('SIM00001/1');
    await bench.drained('0');

    const { error_frames: counted } = await bench.stats('0');
    const log = await bench.end('logging');
    const events: EventView[] = await bench.events('0');
    expect(sumOf(events.map(({ count }) => count))).toBe(counted);
    expect(events.length).toBeLessThan(counted / 10);
    expect(events.filter(({ count }) => Number(count) > 1)).not.toEqual([]);
    expect(events.every(({ error, data }) => !error || data.length === 16)).toBe(true);

    const files = [log.file, 'lone.log', 'lone.blf', 'back.asc'];
    for (const [index, file] of files.entries()) {
      const { error_frames } = await bench.json('trace', 'info', file);
      expect({ file, error_frames }).toEqual({ file, error_frames: counted });
      const next = files[index + 1];
      if (next !== undefined) await bench.json('trace', 'convert', file, next);
    }
    expect(chipStates(bench.read('lone.asc'))).toEqual([
      'warning level 96',
      'error passive 128',
      'warning level 127',
    ]);

    const query = '?channel=0&after=0';
    const sse = await SseClient.open({ port: bench.port, path: `/api/v1/messages/stream${query}` });
    const streamed = await sse.take(events.length);
    expect(sumOf(streamed.map(({ data }) => data.count))).toBe(counted);
    const ws = await FrameClient.open({ port: bench.port, path: `/api/v1/messages/ws${query}` });
    const records = await ws.take(events.length);
    expect(sumOf(records.map((item) => ('bytes' in item ? countIn(item.bytes) : 0)))).toBe(counted);
  });
});
