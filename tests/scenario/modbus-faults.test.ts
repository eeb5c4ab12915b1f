import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../src/base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../src/base/errors/busbar-error.ts';
import { ModbusClient } from '../../src/modbus/client/modbus-client.ts';
import type { SessionPool } from '../../src/modbus/session/session-pool.ts';
import { fakeScheduler } from '../../src/modbus/session/testing/session-rig.ts';
import { parseEndpoint } from '../../src/modbus/transport/endpoint-text.ts';
import { inputAt, portOf, serveHere, setUpPool } from '../support/modbus-rig.ts';
import { drop, type Fault, FaultProxy, type HeldReply } from './support/fault-proxy.ts';

/** For requests with an expected response. */
const patientMs = 600_000;
const hastyMs = 1000;

interface Rig {
  readonly proxy: FaultProxy;
  readonly pool: SessionPool;
  readonly client: ModbusClient;
}

/**
 * Sessions with simulated time: one millisecond passes per turn of the event loop in which the
 * server and its clients run, so no busy machine delays them.
 */
const setUpOwnTime = (): SessionPool => {
  const clock = new FakeClock();
  const pool = setUpPool({ clock, scheduler: fakeScheduler(clock) });
  let turn = setImmediate(function pass() {
    clock.advanceUs(1000);
    turn = setImmediate(pass);
  });
  onTestFinished(() => clearImmediate(turn));
  return pool;
};

const setUp = async (): Promise<Rig> => {
  const { endpoint } = await serveHere('tcp:127.0.0.1:0');
  const proxy = await FaultProxy.before(portOf(endpoint));
  const pool = setUpOwnTime();
  const { session } = await pool.acquire(parseEndpoint(proxy.endpoint));
  const client = new ModbusClient(session, 1, patientMs);
  // Requests with a short time-out need an open connection.
  await client.read('input', 0, 1);
  return { proxy, pool, client };
};

/** Reads one register and checks its value. */
const readInput = async (client: ModbusClient, address: number, timeoutMs = patientMs) => {
  const [value] = await client.read('input', address, 1, { timeoutMs });
  if (value !== inputAt(address)) throw new Error(`${address} has ${value}`);
  return value;
};

const codeOf = (thrown: unknown): string =>
  thrown instanceof BusbarError ? thrown.code : String(thrown);

/** All remaining reads are correct, and responses match their requests. */
const goesOn = async ({ client, proxy }: Rig): Promise<void> => {
  proxy.fault = (reply) => reply.forward();
  for (let address = 100; address < 110; address++) await readInput(client, address);
  expect(client.session.isIdle).toBe(true);
};

const isConsecutive = (transactions: readonly number[]): boolean =>
  transactions.every((id, at) => at === 0 || id === (((transactions[at - 1] ?? 0) + 1) & 0xffff));

describe('an answer between our client and our server', () => {
  it('that is late is waited for, and those behind it wait too', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    const held = proxy.nextReply();
    const first = readInput(client, 1);
    const others = [2, 3, 4].map((address) => readInput(client, address));
    const reply = await held;
    expect(client.session.queueLength).toBe(3);
    expect(proxy.transactions).toHaveLength(2);
    reply.forward();
    expect(await Promise.all([first, ...others])).toEqual([1, 2, 3, 4].map(inputAt));
    expect(proxy.connections).toBe(1);
    await goesOn(rig);
  });

  it('that comes byte by byte is put together', async () => {
    const rig = await setUp();
    rig.proxy.fault = (reply) => {
      for (const byte of reply.frame) reply.send(Uint8Array.of(byte));
    };
    expect(await rig.client.read('input', 0, 125)).toEqual(
      Uint16Array.from({ length: 125 }, (_, address) => inputAt(address)),
    );
    await goesOn(rig);
    expect(rig.proxy.connections).toBe(1);
  });

  it('that is lost ends its request only, and its connection', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    proxy.once(drop);
    const lost = readInput(client, 1, hastyMs);
    const others = [2, 3].map((address) => readInput(client, address));
    await expect(lost).rejects.toMatchObject({
      code: 'modbus_timeout',
      details: { unit: 1, timeout_ms: hastyMs },
    });
    expect(await Promise.all(others)).toEqual([inputAt(2), inputAt(3)]);
    expect(proxy.connections).toBe(2);
    await goesOn(rig);
  });

  it('that comes after its time is not taken for the next one', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    const held: HeldReply[] = [];
    void proxy.nextReply().then((reply) => held.push(reply));
    const read = readInput(client, 1, hastyMs);
    await expect(read).rejects.toMatchObject({ code: 'modbus_timeout' });
    const frame = held[0]?.frame ?? Buffer.alloc(0);
    const before = proxy.connections;
    // Even on the connection that the next request uses.
    proxy.once((reply) => reply.send(Buffer.concat([frame, reply.frame])));
    await expect(readInput(client, 2)).rejects.toMatchObject({
      code: 'modbus_bad_reply',
      details: { wrong: 'transaction' },
    });
    expect(proxy.connections).toBe(before + 1);
    await goesOn(rig);
    expect(proxy.connections).toBe(before + 2);
  });

  it('that comes twice is taken once', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    proxy.once((reply) => reply.send(Buffer.concat([reply.frame, reply.frame])));
    const reads = [1, 2, 3].map((address) => readInput(client, address));
    expect(await Promise.all(reads)).toEqual([1, 2, 3].map(inputAt));
    expect(client.session.counters.counts.protocol_errors).toBe(1);
    expect(proxy.connections).toBe(2);
    await goesOn(rig);
  });

  it('that changes places with another is taken for neither', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    let earlier: HeldReply | undefined;
    proxy.once((reply) => {
      earlier = reply;
      reply.forward();
    });
    await readInput(client, 1);
    proxy.once((reply) => reply.send(Buffer.concat([earlier?.frame ?? reply.frame, reply.frame])));
    await expect(readInput(client, 2)).rejects.toMatchObject({ details: { wrong: 'transaction' } });
    await goesOn(rig);
  });

  const wrong: readonly [what: string, make: (reply: HeldReply) => Uint8Array, details: object][] =
    [
      [
        'is of another transaction',
        (reply) => reply.with(1, reply.transaction + 1),
        { wrong: 'transaction' },
      ],
      ['is of another unit', (reply) => reply.with(6, 2), { wrong: 'unit' }],
      ['is of another function', (reply) => reply.with(7, 3), { wrong: 'function' }],
      ['announces other bytes than it has', (reply) => reply.with(8, 4), { wrong: 'length' }],
      ['is of another protocol', (reply) => reply.with(3, 1), { wrong: 'protocol' }],
      ['is longer than any can be', (reply) => reply.with(4, 0xff), { wrong: 'length' }],
      [
        'is shortened and says so',
        (reply) => Buffer.concat([reply.with(5, 4).subarray(0, 10)]),
        { wrong: 'length' },
      ],
    ];

  it.each(wrong)('that %s is refused', async (_, make, details) => {
    const rig = await setUp();
    const { client, proxy } = rig;
    proxy.once((reply) => reply.send(make(reply)));
    const failed = readInput(client, 1);
    const others = [2, 3].map((address) => readInput(client, address));
    await expect(failed).rejects.toMatchObject({
      code: 'modbus_bad_reply',
      details,
    });
    expect(await Promise.all(others)).toEqual([inputAt(2), inputAt(3)]);
    expect(proxy.connections).toBe(2);
    await goesOn(rig);
  });

  it('that stops in the middle ends its request in time', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    for (const length of [1, 5, 6, 9, 10]) {
      proxy.once((reply) => reply.send(reply.frame.subarray(0, length)));
      await expect(readInput(client, 1, hastyMs)).rejects.toMatchObject({ code: 'modbus_timeout' });
      await readInput(client, 2);
    }
    await goesOn(rig);
  });

  it('during which the server dies ends its request at once', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    const deaths: Fault[] = [(reply) => reply.hangUp(), (reply) => reply.reset()];
    for (const die of deaths) {
      const held = proxy.nextReply();
      const failed = readInput(client, 1);
      const other = readInput(client, 2);
      const reply = await held;
      reply.send(reply.frame.subarray(0, 8));
      die(reply);
      await expect(failed).rejects.toMatchObject({ code: 'modbus_unreachable' });
      expect(await other).toBe(inputAt(2));
    }
    await goesOn(rig);
  });

  it('to the reading half of a bit change lets nothing be written when it is wrong', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    await client.write('holding', 5, Uint16Array.of(0x00f0));
    for (const fault of [(reply: HeldReply) => reply.send(reply.with(6, 9)), drop]) {
      proxy.once(fault);
      const changed = client.changeBits(5, { andMask: 0, orMask: 0xffff }, { timeoutMs: hastyMs });
      await expect(changed).rejects.toBeInstanceOf(BusbarError);
      expect(await client.read('holding', 5, 1)).toEqual(Uint16Array.of(0x00f0));
    }
    await goesOn(rig);
  });
});

describe('a connection to a peer', () => {
  /** A peer that accepts connections and never sends anything. */
  const setUpSilence = async (onSocket: (socket: Socket) => void) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      onSocket(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const pool = setUpOwnTime();
    const { port } = server.address() as AddressInfo;
    const { session } = await pool.acquire(parseEndpoint(`tcp:127.0.0.1:${port}`));
    return { client: new ModbusClient(session, 1, hastyMs), sockets };
  };

  it.each([
    ['reads and never answers', (socket: Socket) => socket.resume()],
    ['neither reads nor answers', (socket: Socket) => socket.pause()],
  ])('that %s lets every waiter go in time', async (_, behave) => {
    const { client, sockets } = await setUpSilence((socket) => void behave(socket));
    const reads = Array.from({ length: 3 }, (_, address) => client.read('input', address, 1));
    const ended = await Promise.allSettled(reads);
    expect(ended.map((end) => end.status === 'rejected' && codeOf(end.reason))).toEqual(
      reads.map(() => 'modbus_timeout'),
    );
    // A connection that was silent is not reused.
    expect(sockets).toHaveLength(3);
  });

  it('that hangs up as soon as it is asked is told apart from silence', async () => {
    const { client } = await setUpSilence((socket) => socket.once('data', () => socket.end()));
    const patient = { timeoutMs: patientMs };
    const reads = [1, 2, 3].map((address) => client.read('input', address, 1, patient));
    const ended = await Promise.allSettled(reads);
    expect(ended.map((end) => end.status === 'rejected' && codeOf(end.reason))).toEqual(
      reads.map(() => 'modbus_unreachable'),
    );
  });

  it('that breaks between requests is made anew without callers noticing', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    for (let round = 1; round <= 3; round++) {
      await readInput(client, round);
      proxy.breakAll();
      while (client.session.state !== 'closed') await new Promise(setImmediate);
    }
    await goesOn(rig);
    expect(client.session.counters.counts.failures).toBe(0);
    expect(proxy.connections).toBe(4);
  });
});

describe('many users of one endpoint', () => {
  it('share one connection and one count of transactions', async () => {
    const { pool, proxy } = await setUp();
    const users = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { session } = await pool.acquire(parseEndpoint(`tcp:localhost:${proxy.port}`));
        return new ModbusClient(session, 1, patientMs);
      }),
    );
    const reads = users.flatMap((user, at) =>
      Array.from({ length: 25 }, (_, round) => readInput(user, 25 * at + round)),
    );
    await Promise.all(reads);
    expect(proxy.connections).toBe(1);
    expect(proxy.transactions).toHaveLength(201);
    expect(isConsecutive(proxy.transactions)).toBe(true);
  });

  it('never get a wrong value, and always an answer, whatever becomes of the replies', async () => {
    const rig = await setUp();
    const { client, proxy } = rig;
    let state = 20_261_115;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) % below;
    };
    let earlier: Buffer = Buffer.alloc(0);
    const faults: Fault[] = [
      drop,
      (reply) => reply.send(Buffer.concat([reply.frame, reply.frame])),
      (reply) => reply.send(Buffer.concat([earlier, reply.frame])),
      (reply) => reply.send(reply.frame.subarray(0, random(reply.frame.length))),
      (reply) => reply.send(reply.with(random(9), random(256))),
      (reply) => reply.reset(),
      (reply) => {
        reply.send(reply.frame.subarray(0, 1 + random(8)));
        reply.hangUp();
      },
    ];
    proxy.fault = (reply) => {
      const fault = random(3) === 0 ? faults[random(faults.length)] : undefined;
      if (fault) fault(reply);
      else reply.forward();
      earlier = reply.frame;
    };
    const user = async (first: number): Promise<string[]> => {
      const ends: string[] = [];
      for (let round = 0; round < 25; round++) {
        const read = readInput(client, first + round, hastyMs);
        ends.push(await read.then(() => 'value', codeOf));
      }
      return ends;
    };
    const ends = (await Promise.all([0, 100, 200, 300].map(user))).flat();
    expect(ends).toHaveLength(100);
    const seen = [...new Set(ends)].sort();
    const possible = ['modbus_bad_reply', 'modbus_timeout', 'modbus_unreachable', 'value'];
    expect(possible).toEqual(expect.arrayContaining(seen));
    expect(seen).toContain('value');
    await goesOn(rig);
    const { requests, responses, exceptions, timeouts, failures } = client.session.counters.counts;
    expect(responses + exceptions + timeouts + failures).toBe(requests);
    expect(new Set(proxy.transactions).size).toBe(proxy.transactions.length);
  });
});
