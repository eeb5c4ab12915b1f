/** Connects on request, counts the events, and reports when all have arrived. */
import { connect } from 'node:net';

interface Order {
  readonly port: number;
  readonly path: string;
  readonly events: number;
}

const lineFeed = 0x0a;
const endOfEvent = Buffer.from('\n\n');

const count = ({ port, path, events }: Order): void => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  let counted = 0;
  let endsInLineFeed = false;
  socket.on('data', (bytes) => {
    // Chunk frames have two-character line ends, so they never look like an event end.
    let at = 0;
    if (endsInLineFeed && bytes[0] === lineFeed) {
      counted++;
      at = 1;
    }
    for (;;) {
      const found = bytes.indexOf(endOfEvent, at);
      if (found < 0) break;
      counted++;
      at = found + endOfEvent.length;
    }
    endsInLineFeed = at < bytes.length && bytes[bytes.length - 1] === lineFeed;
    if (counted < events) return;
    socket.destroy();
    process.send?.('done');
  });
};

process.on('message', (order) => count(order as Order));
process.send?.('ready');
