import { describe, expect, it } from 'vitest';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { BatchSender } from './batch-sender.ts';
import { StallingSocket } from './testing/stalling-socket.ts';

const openSender = () => {
  const socket = new StallingSocket();
  const pool = new ScratchPool();
  const sender = new BatchSender(socket, pool);
  let resumed = 0;
  sender.onReady = () => resumed++;
  const send = (text: string) => {
    const scratch = sender.take();
    sender.send(scratch, 0, scratch.bytes.write(text));
    return scratch;
  };
  return { socket, pool, sender, send, resumed: () => resumed };
};

/** Callbacks of completed writes run slightly later. */
const callbacks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('BatchSender', () => {
  it('uses the same memory again while the other side takes everything at once', async () => {
    const { socket, sender, send, resumed } = openSender();
    const areas = [send('one'), send('two'), send('three')];
    expect(new Set(areas).size).toBe(1);
    expect(sender.isReady).toBe(true);
    await callbacks();
    expect(socket.writes.map(String)).toEqual(['one', 'two', 'three']);
    expect([resumed(), sender.takeProgress()]).toEqual([0, false]);
  });

  it('leaves alone what waits for the other side, and is ready again once that is out', async () => {
    const { socket, pool, sender, send, resumed } = openSender();
    send('one');
    socket.isStalled = true;
    const waiting = send('two');
    expect([sender.isReady, pool.idle]).toEqual([false, 0]);
    const other = pool.take();
    expect(other).not.toBe(waiting);
    other.bytes.fill(0);
    await callbacks();
    expect([sender.isReady, resumed()]).toEqual([false, 0]);
    socket.release();
    await callbacks();
    expect(socket.writes.map(String)).toEqual(['one', 'two']);
    expect([sender.isReady, resumed(), pool.idle]).toEqual([true, 1, 1]);
    expect([sender.takeProgress(), sender.takeProgress()]).toEqual([true, false]);
  });

  it('gives memory back without a callback when the connection breaks', async () => {
    const { socket, pool, sender, send, resumed } = openSender();
    socket.on('error', () => {});
    socket.isStalled = true;
    send('one');
    send('two');
    socket.destroy(new Error('reset'));
    await callbacks();
    socket.release();
    await callbacks();
    expect([sender.isReady, resumed(), pool.idle]).toEqual([false, 0, 2]);
  });
});
