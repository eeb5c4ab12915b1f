import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { gather, SlicedJson } from '../../base/json/sliced-json.ts';
import { type Scratch, ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { sendSlices } from './response.ts';

/** This many full slices; each repeats one letter. */
class Letters extends SlicedJson {
  readonly #count: number;
  written = 0;
  closed = 0;

  constructor(count: number) {
    super();
    this.#count = count;
  }

  writeInto({ bytes }: Scratch): number {
    if (this.written === this.#count) return 0;
    bytes.fill('abcdefgh'.charAt(this.written++ % 8));
    return bytes.length;
  }

  close(): void {
    this.closed++;
  }
}

const expected = (count: number): string =>
  Array.from({ length: count }, (_, n) => 'abcdefgh'.charAt(n % 8).repeat(scratchBytes)).join('');

let server: Server;
afterEach(() => new Promise((done) => server.close(done).closeAllConnections()));

const answerWith = async (json: SlicedJson, scratch: ScratchPool): Promise<IncomingMessage> => {
  const turns = new YieldQueue();
  server = createServer((_, response) => sendSlices(response, json, { turns, scratch }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return new Promise((done) => get({ host: '127.0.0.1', port, agent: false }, done));
};

describe('an answer in slices', () => {
  it('arrives whole, and one slice of memory is enough for a client that reads', async () => {
    const scratch = new ScratchPool();
    const json = new Letters(40);
    const response = await answerWith(json, scratch);
    let text = '';
    for await (const chunk of response) text += chunk;
    expect(text).toBe(expected(40));
    await eventually(() => json.closed === 1);
    expect(scratch.idle).toBe(1);
  });

  it('is prepared turn by turn before its first byte', async () => {
    const json = new Letters(1);
    let turns = 0;
    json.prepare = () => {
      turns += 1;
      expect(json.written).toBe(0);
      return turns === 3;
    };
    const response = await answerWith(json, new ScratchPool());
    let text = '';
    for await (const chunk of response) text += chunk;
    expect(text).toBe(expected(1));
    expect(turns).toBe(3);
  });

  it('is written no further than a client reads, and closed when it leaves', async () => {
    const json = new Letters(10_000);
    const response = await answerWith(json, new ScratchPool());
    response.pause();
    let before = -1;
    while (before !== json.written) {
      before = json.written;
      for (let turn = 0; turn < 100; turn++) await nextTurn();
    }
    // As much as the system buffers, and one more.
    expect(json.written).toBeLessThan(1000);
    response.destroy();
    await eventually(() => json.closed === 1);
  });

  it('can be had in one piece', async () => {
    server = createServer();
    const json = new Letters(3);
    const { bytes } = await gather(json, {
      turns: new YieldQueue(),
      scratch: new ScratchPool(),
    });
    expect(Buffer.from(bytes).toString()).toBe(expected(3));
    expect(json.closed).toBe(1);
  });
});
