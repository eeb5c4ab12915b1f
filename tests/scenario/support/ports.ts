import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

const listen = async (port: number): Promise<Server> => {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

/** A loopback port on which another program listens until the test ends. */
export const takePort = async (): Promise<number> => {
  const server = await listen(0);
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** Below the ephemeral port range of the system. */
const ownPorts = { first: 20_000, count: 10_000 } as const;
// Other test processes begin elsewhere.
let nextPort = process.pid * 131;

/** A free loopback port that no other test gets. */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = ownPorts.first + (nextPort++ % ownPorts.count);
    const server = await listen(port).catch(() => undefined);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
};

/** Whether a connection to a loopback port is refused. */
export const isRefused = async (port: number): Promise<boolean> => {
  const socket = createConnection(port, '127.0.0.1');
  const refused = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false));
    socket.once('error', () => resolve(true));
  });
  socket.destroy();
  return refused;
};
