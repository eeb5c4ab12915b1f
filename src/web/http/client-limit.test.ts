import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { Connections } from './connections.ts';

describe('the limit of connections', () => {
  let server: Server;
  let limit: Connections;
  let accepted: Socket[];
  let clients: Socket[];

  beforeEach(async () => {
    accepted = [];
    clients = [];
    limit = new Connections({ limit: 2, turns: new YieldQueue(), clock: new SystemClock() });
    server = createServer();
    limit.watch(server);
    server.on('connection', (socket) => accepted.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const connect = (): Socket => {
    const client = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };

  /** The server's end of a new connection. */
  const arrive = async (): Promise<Socket> => {
    const index = accepted.length;
    connect();
    await eventually(() => accepted.length > index);
    return accepted[index] as Socket;
  };

  const outcome = (socket: Socket): string => {
    try {
      limit.checkLimit(socket);
      return 'served';
    } catch (thrown) {
      return thrown instanceof BusbarError ? thrown.code : 'other';
    }
  };

  it('serves as many as the limit says and tells the next one why it is not served', async () => {
    const sockets = [await arrive(), await arrive(), await arrive()];
    expect(sockets.map(outcome)).toEqual(['served', 'served', 'too_many_clients']);
    expect(limit.clients).toBe(2);
    expect(() => limit.checkLimit(sockets[2] as Socket)).toThrow(
      expect.objectContaining({ details: { limit: 2 } }),
    );
  });

  it('gives the place of one who left to one who comes, not to one who came too early', async () => {
    const first = await arrive();
    await arrive();
    const early = await arrive();
    clients[0]?.destroy();
    await once(first, 'close');
    expect(limit.clients).toBe(1);
    expect(outcome(early)).toBe('too_many_clients');
    expect(outcome(await arrive())).toBe('served');
    expect(limit.clients).toBe(2);
  });

  it('does not count those it does not serve when they leave', async () => {
    await arrive();
    await arrive();
    const early = await arrive();
    clients[2]?.destroy();
    await once(early, 'close');
    expect(limit.clients).toBe(2);
  });

  it('hangs up without a word on those who come beyond twice the limit', async () => {
    for (let n = 0; n < 4; n++) await arrive();
    const flood = connect();
    await once(flood, 'close');
    expect(accepted).toHaveLength(4);
    expect(flood.bytesRead).toBe(0);
  });
});
