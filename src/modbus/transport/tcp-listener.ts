import { type AddressInfo, createServer, Socket, type SocketConstructorOpts } from 'node:net';
import { errnoOf } from '../../base/errors/errno-of.ts';
import { formatHostPort } from '../../base/net/host-port.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import { SocketLink } from '../../base/serial/socket-link.ts';
import { readBuffer } from './tcp-connection.ts';
import { unreachable } from './unreachable.ts';

export interface ListenOptions {
  readonly address: string;
  readonly port: number;
  readonly accept: (link: ByteLink) => LinkReceiver;
}

export interface TcpListener {
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Detects a vanished client within minutes instead of two hours. */
const keepAliveInitialDelay = 60_000;

const noReceiver: LinkReceiver = { opened() {}, bytes() {}, closed() {} };

/**
 * The same connection with its own read buffer. Node offers `onread` only to connecting
 * sockets, so the handle moves to a new socket.
 */
const withReadBuffer = (accepted: Socket, deliver: (bytes: Uint8Array) => void): Socket => {
  const owner = accepted as unknown as { _handle: object | null };
  const options = { handle: owner._handle, onread: readBuffer(deliver) };
  owner._handle = null;
  accepted.destroy();
  return new Socket(options as SocketConstructorOpts);
};

export const listenTcp = ({ address, port, accept }: ListenOptions): Promise<TcpListener> => {
  const links = new Set<ByteLink>();

  const take = (accepted: Socket): void => {
    const { remoteAddress: host = 'unknown', remotePort = 0 } = accepted;
    const socket = withReadBuffer(accepted, (bytes) => link.deliver(bytes));
    let receiver = noReceiver;
    const peer = formatHostPort({ host, port: remotePort });
    const relay: LinkReceiver = {
      opened: () => receiver.opened(),
      bytes: (bytes) => receiver.bytes(bytes),
      drained: () => receiver.drained?.(),
      closed: (error) => receiver.closed(error),
    };
    const link = new SocketLink(socket, peer, relay, unreachable);
    links.add(link);
    socket.once('close', () => links.delete(link));
    receiver = accept(link);
  };

  const server = createServer(
    { noDelay: true, keepAlive: true, keepAliveInitialDelay, pauseOnConnect: true },
    take,
  );
  return new Promise((resolve, reject) => {
    // While listening, an error concerns one connection that could not be accepted.
    server.on('error', (error) => {
      reject(
        unreachable(formatHostPort({ host: address, port }), errnoOf(error) ?? 'unknown', error),
      );
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
