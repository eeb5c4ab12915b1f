import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

const listen = async (port: number): Promise<Server> => {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

/** A loopback port that someone else listens on until the test ends. */
export const takePort = async (): Promise<number> => {
  const server = await listen(0);
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** A loopback port that nothing listens on. */
export const findFreePort = async (): Promise<number> => {
  const server = await listen(0);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
