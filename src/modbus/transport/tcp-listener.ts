import { type AddressInfo, createServer, type Socket } from 'node:net';
import { formatHostPort } from '../../base/net/host-port.ts';
import type { ByteLink, LinkReceiver } from './byte-link.ts';
import { SocketLink } from './socket-link.ts';
import { errnoOf, unreachable } from './unreachable.ts';

export interface ListenOptions {
  /** An IP address of this machine; `0.0.0.0` or `::` for all of them. */
  readonly address: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Connections beyond are closed before anybody hears of them. */
  readonly maxConnections?: number;
  /** Takes a connection, open already, and says who is told about it. */
  readonly accept: (link: ByteLink) => LinkReceiver;
}

/** A place where clients connect to. */
export interface TcpListener {
  readonly address: string;
  readonly port: number;
  /** Stops listening and closes all connections; then the port is free again. */
  close(): Promise<void>;
}

/** What an accepted connection tells until its owner has said who listens. */
const nobody: LinkReceiver = { opened() {}, bytes() {}, closed() {} };

/** Listens for clients, or fails with `modbus_unreachable` and the reason. */
export const listenTcp = (options: ListenOptions): Promise<TcpListener> => {
  const { address, port, maxConnections, accept } = options;
  const links = new Set<ByteLink>();

  const take = (socket: Socket): void => {
    let receiver = nobody;
    const peer = formatHostPort({
      host: socket.remoteAddress ?? 'unknown',
      port: socket.remotePort ?? 0,
    });
    const link = new SocketLink(socket, peer, {
      opened: () => receiver.opened(),
      bytes: (bytes) => receiver.bytes(bytes),
      drained: () => receiver.drained?.(),
      closed: (error) => receiver.closed(error),
    });
    links.add(link);
    socket.once('close', () => links.delete(link));
    receiver = accept(link);
    socket.on('data', (bytes: Uint8Array) => link.deliver(bytes));
  };

  const server = createServer({ noDelay: true, keepAlive: true }, take);
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(unreachable(formatHostPort({ host: address, port }), errnoOf(error), error));
    });
    server.listen({ host: address, port, exclusive: true }, () => {
      const bound = server.address() as AddressInfo;
      resolve({
        address: bound.address,
        port: bound.port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const link of links) link.close();
          }),
      });
    });
  });
};
