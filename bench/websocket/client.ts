/** Connects on request, counts the messages, and reports when all have arrived. */
import { connect } from 'node:net';

interface Order {
  readonly port: number;
  readonly path: string;
  readonly frames: number;
}

/** Length of the frame that starts here; 0 if its header is incomplete. */
const frameLength = (bytes: Buffer, at: number): number => {
  if (at + 4 > bytes.length) return 0;
  const length = (bytes[at + 1] as number) & 0x7f;
  return length < 126 ? 2 + length : 4 + bytes.readUInt16BE(at + 2);
};

const count = ({ port, path, frames }: Order): void => {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
      'Sec-WebSocket-Protocol: svc.frames.v2\r\n\r\n',
    ].join('\r\n'),
  );
  let counted = 0;
  let isOpen = false;
  let rest = Buffer.alloc(0);
  let missing = 0;
  socket.on('data', (chunk) => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    if (!isOpen) {
      const end = bytes.indexOf('\r\n\r\n');
      rest = bytes;
      if (end < 0) return;
      isOpen = true;
      bytes = bytes.subarray(end + 4);
    }
    let at = missing;
    for (; at < bytes.length; counted++) {
      const length = frameLength(bytes, at);
      if (length === 0) break;
      at += length;
    }
    rest = at < bytes.length ? bytes.subarray(at) : Buffer.alloc(0);
    missing = Math.max(0, at - bytes.length);
    if (counted < frames || missing > 0) return;
    socket.destroy();
    process.send?.('done');
  });
};

process.on('message', (order) => count(order as Order));
process.send?.('ready');
