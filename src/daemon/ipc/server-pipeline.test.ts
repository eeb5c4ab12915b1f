import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../base/testing/eventually.ts';
import { range } from '../../broker/testing/hub-bench.ts';
import { greeting, IpcBench, request } from './testing/ipc-bench.ts';

/** Calls of one caller that run simultaneously. */
const max = 4;

describe('a caller that does not wait for its answers', () => {
  let bench: IpcBench;

  beforeEach(async () => {
    bench = new IpcBench();
    await bench.server.listen();
  });
  afterEach(() => bench.close());

  const burst = (count: number, operation: string): string =>
    range(1, count)
      .map((id) => request(id, operation))
      .join('');

  it('has a few calls carried out at a time, and the rest as those are answered', async () => {
    const caller = bench.raw();
    caller.send(greeting + burst(1000, 'hold'));
    await eventually(() => bench.held.length === max);
    // Another caller is served meanwhile.
    const link = await bench.connect();
    expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    expect(bench.held).toHaveLength(max);
    for (const held of bench.held.slice(0, 3)) held.resolve({});
    await eventually(() => bench.held.length === max + 3);
    expect(await link.call('echo', { n: 2 }, null)).toEqual({ n: 2 });
    expect(bench.held).toHaveLength(max + 3);
    caller.socket.destroy();
  });

  it('gets all its answers', async () => {
    const caller = bench.raw();
    caller.send(greeting + burst(1000, 'echo'));
    const [, ...answers] = await caller.hasReceived(1001);
    expect(answers.map(({ id }) => id).sort((one, other) => Number(one) - Number(other))).toEqual(
      range(1, 1000),
    );
  });

  it('can give up a call that waits; it is not begun, and answered all the same', async () => {
    const caller = bench.raw();
    caller.send(`${greeting + burst(max + 1, 'hold')}${JSON.stringify({ cancel: max + 1 })}\n`);
    await eventually(() => bench.held.length === max);
    bench.held[0]?.resolve({});
    const messages = await caller.hasReceived(3);
    expect(messages.slice(1)).toMatchObject([
      { id: 1, result: {} },
      { id: max + 1, error: { code: 'operation_cancelled' } },
    ]);
    expect(bench.held).toHaveLength(max);
    for (const held of bench.held) held.resolve({});
  });
});
