import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { holdsSocket, peerHold } from './local-peer.ts';

// Shortened: the columns after the inode are omitted.
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13055 1
   1: 0100007F:C350 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 21011 1
   2: 0100007F:C351 0100007F:1F90 05 00000000:00000000 03:0000176F 00000000     0        0 0 3
`;

describe('the sockets in a table of the kernel', () => {
  it.each([
    ['is held by a process', 50_000, 8080, true],
    ['no process has open any more', 50_001, 8080, false],
    ['is of another connection', 50_000, 8081, false],
  ])('tell one that %s', (_, localPort, remotePort, expected) => {
    expect(holdsSocket(table, localPort, remotePort)).toBe(expected);
  });
});

let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
});

const connected = async (host: string): Promise<{ client: Socket; accepted: Socket }> => {
  server = createServer({ allowHalfOpen: true }).listen(0, host);
  await once(server, 'listening');
  const accepting = once(server, 'connection');
  const client = createConnection((server.address() as AddressInfo).port, host);
  const [accepted] = (await accepting) as [Socket];
  sockets.push(client, accepted);
  accepted.resume();
  return { client, accepted };
};

describe.runIf(process.platform === 'linux').each(['127.0.0.1', '::1'])('a peer at %s', (host) => {
  it('holds its socket while it is open, were its sending side shut down', async () => {
    const { client, accepted } = await connected(host);
    expect(await peerHold(accepted)).toBe('held');
    client.end();
    await once(accepted, 'end');
    expect(await peerHold(accepted)).toBe('held');
  });

  it('has let go of it once it is closed', async () => {
    const { client, accepted } = await connected(host);
    client.destroy();
    await once(accepted, 'end');
    expect(await peerHold(accepted)).toBe('let go');
  });
});

describe('a peer of another computer', () => {
  it('is not known', async () => {
    const ends = {
      localAddress: '192.0.2.1',
      localPort: 80,
      remoteAddress: '192.0.2.7',
      remotePort: 5,
    };
    expect(await peerHold(ends)).toBe('unknown');
  });
});
