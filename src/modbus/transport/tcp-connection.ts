import { connect, type OnReadOpts } from 'node:net';
import { formatHostPort } from '../../base/net/host-port.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import { SocketLink } from '../../base/serial/socket-link.ts';
import { unreachable } from './unreachable.ts';

/** Larger than any frame. */
const readBufferBytes = 4096;

/**
 * One buffer for all reads of a socket, where Node would allocate 64 KiB per read. `pause`
 * takes effect immediately, because nothing is read ahead.
 */
export const readBuffer = (deliver: (bytes: Uint8Array) => void): OnReadOpts => {
  const buffer = new Uint8Array(readBufferBytes);
  // Frames often have equal lengths, and a new view costs as much as the rest.
  let view = buffer;
  return {
    buffer,
    callback: (count) => {
      if (view.length !== count) view = buffer.subarray(0, count);
      deliver(view);
      return true;
    },
  };
};

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
