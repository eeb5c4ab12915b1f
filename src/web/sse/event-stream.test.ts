import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { ChannelTexts } from '../../frame/channel-texts.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';

import { EventStream } from './event-stream.ts';

const openStream = (selectorOf = (slot: number) => `SIM00001/${slot}`) => {
  const socket = new StallingSocket();
  const channels = new ChannelTexts(selectorOf);
  const stream = new EventStream({ scratch: new ScratchPool(), channels, epoch: 1 });
  let resumed = 0;
  const response = { chunkedEncoding: false, end: () => response as never };
  const open = () => stream.open({ socket, response }, () => resumed++);
  return { socket, stream, open, resumed: () => resumed };
};

const idsIn = (writes: Buffer[]): number[] =>
  [
    ...Buffer.concat(writes)
      .toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map(([, id]) => Number(id));

describe('EventStream', () => {
  it('takes nothing before the headers are out', () => {
    const { stream, open } = openStream();
    expect(stream.isReady).toBe(false);
    open();
    expect(stream.isReady).toBe(true);
  });

  it('is not ready while the client does not take the last batch, and says when it is', () => {
    const { stream, socket, open, resumed } = openStream();
    open();
    socket.isStalled = true;
    stream.record(stagedRecords([8]), 0);
    stream.flush();
    expect([stream.isReady, resumed()]).toEqual([false, 0]);
    socket.release();
    expect([stream.isReady, resumed()]).toEqual([true, 1]);
  });

  it('loses nothing when an event is larger than those before it', () => {
    const longName = 'x'.repeat(10_000);
    const { stream, socket, open } = openStream((slot) => (slot === 9 ? longName : 'short'));
    open();
    const short = stagedRecords([8], 1, 3);
    let records = 1;
    while (stream.record(short, 0)) records++;
    stream.record(stagedRecords([8], 2, 9), 0);
    stream.flush();
    expect(socket.writes).toHaveLength(2);
    expect(idsIn(socket.writes)).toEqual([...Array(records).fill(1), 2]);
  });

  it('moves the id of a client along events that it did not ask for, without an event', () => {
    const { stream, socket, open } = openStream();
    open();
    stream.passedOver(4711);
    stream.flush();
    expect(Buffer.concat(socket.writes).toString()).toBe('id: 4711\n\n');
  });

  it('refuses an event that no batch can hold instead of dropping it', () => {
    const { stream, open } = openStream(() => 'x'.repeat(scratchBytes));
    open();
    expect(() => stream.record(stagedRecords([8]), 0)).toThrow(
      expect.objectContaining({ code: 'internal_error' }),
    );
  });
});
