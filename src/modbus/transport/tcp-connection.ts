import { connect } from 'node:net';
import { formatHostPort } from '../../base/net/host-port.ts';
import type { ByteLink, LinkReceiver } from './byte-link.ts';
import { SocketLink } from './socket-link.ts';

export interface TcpAddress {
  /** An IP address; names are resolved before. */
  readonly address: string;
  readonly port: number;
}

/** Larger than any answer: what arrives at once is taken at once. */
const READ_BUFFER_BYTES = 4096;

/** Connects to a server. There is no time limit here: whoever waits closes the link. */
export const connectTcp = ({ address, port }: TcpAddress, receiver: LinkReceiver): ByteLink => {
  const buffer = new Uint8Array(READ_BUFFER_BYTES);
  // Polled answers have the same length again and again, and a view of it costs as much as the rest.
  let view = buffer;
  const socket = connect({
    host: address,
    port,
    noDelay: true,
    // Without a buffer of its own a socket allocates 64 KiB for every answer.
    onread: {
      buffer,
      callback: (count) => {
        if (view.length !== count) view = buffer.subarray(0, count);
        link.deliver(view);
        return true;
      },
    },
  });
  const link = new SocketLink(socket, formatHostPort({ host: address, port }), receiver);
  socket.once('connect', () => link.announce());
  return link;
};
