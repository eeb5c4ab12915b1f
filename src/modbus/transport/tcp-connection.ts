import { connect } from 'node:net';
import { formatHostPort } from '../../base/net/host-port.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import { SocketLink } from '../../base/serial/socket-link.ts';
import { readBuffer } from './read-buffer.ts';
import { unreachable } from './unreachable.ts';

export interface TcpAddress {
  readonly address: string;
  readonly port: number;
}

/** Connects to a server without a time limit: the caller closes the link. */
export const connectTcp = ({ address, port }: TcpAddress, receiver: LinkReceiver): ByteLink => {
  const socket = connect({
    host: address,
    port,
    noDelay: true,
    onread: readBuffer((bytes) => link.deliver(bytes)),
  });
  const link = new SocketLink(
    socket,
    formatHostPort({ host: address, port }),
    receiver,
    unreachable,
  );
  socket.once('connect', () => link.announce());
  return link;
};
