import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { eventObject } from '../../frame/event-json.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';

import { eventEncoder } from './event-stream.ts';
import { SseBody } from './sse-body.ts';

const epoch = 123_456_789_012;

const openStream = (selectorOf = (slot: number) => `SIM00001/${slot}`, chunkedEncoding = false) => {
  const socket = new StallingSocket();
  const body = new SseBody(new ScratchPool());
  const sink = body.sink(eventEncoder(epoch, selectorOf));
  let resumed = 0;
  const ignore = () => undefined;
  sink.attach?.({
    hasBacklog: false,
    resume: () => resumed++,
    last: ignore,
    end: ignore,
    close: ignore,
  });
  const response = { chunkedEncoding, end: () => response as never };
  const open = () => body.open({ socket, response });
  return { socket, sink, body, open, resumed: () => resumed };
};

const textOf = ({ writes }: StallingSocket): string => Buffer.concat(writes).toString('latin1');

const idsIn = (writes: Buffer[]): number[] =>
  [
    ...Buffer.concat(writes)
      .toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map(([, id]) => Number(id));

describe('a stream of events', () => {
  it('takes nothing before the headers are out', () => {
    const { sink, open } = openStream();
    expect(sink.isReady).toBe(false);
    open();
    expect(sink.isReady).toBe(true);
  });

  it('is not ready while the client does not take the last batch, and says when it is', () => {
    const { sink, socket, open, resumed } = openStream();
    open();
    socket.isStalled = true;
    sink.item(stagedRecords([8]), 0);
    sink.flush();
    expect([sink.isReady, resumed()]).toEqual([false, 0]);
    socket.release();
    expect([sink.isReady, resumed()]).toEqual([true, 1]);
  });

  it('loses nothing when an event is larger than those before it', () => {
    const longName = 'x'.repeat(10_000);
    const { sink, socket, open } = openStream((slot) => (slot === 9 ? longName : 'short'));
    open();
    const short = stagedRecords([8], 1, 3);
    let records = 1;
    while (sink.item(short, 0)) records++;
    sink.item(stagedRecords([8], 2, 9), 0);
    sink.flush();
    expect(socket.writes).toHaveLength(2);
    expect(idsIn(socket.writes)).toEqual([...Array(records).fill(1), 2]);
  });

  it('moves the id of a client along events that it did not ask for, without an event', () => {
    const { sink, socket, open } = openStream();
    open();
    sink.skipped?.(4711);
    sink.flush();
    expect(Buffer.concat(socket.writes).toString()).toBe('id: 4711\n\n');
  });

  it.each([0, 8, 64])('writes an event with %i bytes of payload as its JSON', (length) => {
    const { sink, socket, open } = openStream();
    open();
    const staging = stagedRecords([length], 42);
    expect(sink.item(staging, 0)).toBe(true);
    sink.flush();
    const expected = { ...eventObject(staging.view, 0, 'SIM00001/3'), stream_epoch: epoch };
    expect(textOf(socket)).toBe(`id: 42\nevent: message\ndata: ${JSON.stringify(expected)}\n\n`);
  });

  it('asks for the selector of a channel once', () => {
    const asked: number[] = [];
    const { sink, socket, open } = openStream((slot) => {
      asked.push(slot);
      return 'x';
    });
    open();
    for (const [index, channel] of [3, 4, 3].entries()) {
      sink.item(stagedRecords([8], index + 1, channel), 0);
    }
    sink.flush();
    expect(asked).toEqual([3, 4]);
    expect(textOf(socket).match(/"channel":\d/g)).toEqual([
      '"channel":3',
      '"channel":4',
      '"channel":3',
    ]);
  });

  it.each([17, null])('reports a gap with where to resume, %s missed', (missed) => {
    const { sink, socket, open } = openStream();
    open();
    sink.gap?.({ oldestAvailable: 41, newestAvailable: 99 }, missed);
    sink.flush();
    expect(textOf(socket)).toBe(
      `id: 40\nevent: gap\ndata: {"oldest_available":41,"newest_available":99,"missed":${missed}}\n\n`,
    );
  });

  it('makes the events of a flush one chunk', () => {
    const { body, socket, open } = openStream(undefined, true);
    open();
    body.comment('22 characters of text.');
    expect(textOf(socket)).toBe('0000001a\r\n: 22 characters of text.\n\n\r\n');
  });

  it('stays within its memory, with room for a gap and the end of the chunk', () => {
    const { sink, socket, open } = openStream(undefined, true);
    open();
    const max = Number.MAX_SAFE_INTEGER;
    const staging = stagedRecords([64], max);
    while (sink.item(staging, 0));
    sink.gap?.({ oldestAvailable: max, newestAvailable: max }, max);
    sink.flush();
    expect(socket.writes).toHaveLength(1);
    expect(textOf(socket)).toMatch(/event: gap\n.*\}\n\n\r\n$/);
    expect(socket.writes[0]?.length).toBeLessThanOrEqual(scratchBytes);
  });

  it('refuses an event that no batch can hold instead of dropping it', () => {
    const { sink, open } = openStream(() => 'x'.repeat(scratchBytes));
    open();
    expect(() => sink.item(stagedRecords([8]), 0)).toThrow(
      expect.objectContaining({ code: 'internal_error' }),
    );
  });
});
