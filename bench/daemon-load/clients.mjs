// Frame stream clients in a separate process: counts events and missing events.
import { WebSocket } from 'ws';

const [url, count] = process.argv.slice(2);
const sourceSequenceAt = 32;
const channelAt = 8;

const clients = Array.from({ length: Number(count) }, () => {
  const client = { events: 0, missing: 0, gaps: 0, last: new Map() };
  client.socket = new WebSocket(url, ['svc.frames.v2'], { perMessageDeflate: false });
  client.socket.on('message', (data, isBinary) => {
    if (!isBinary) {
      client.gaps++;
      return;
    }
    client.events++;
    const channel = data.readUInt16BE(channelAt);
    const sequence = Number(data.readBigUInt64BE(sourceSequenceAt));
    const last = client.last.get(channel);
    if (last !== undefined) client.missing += sequence - last - 1;
    client.last.set(channel, sequence);
  });
  return client;
});

await Promise.all(
  clients.map(({ socket }) => new Promise((resolve) => socket.once('open', resolve))),
);
process.send('open');
process.on('message', () => {
  process.send(clients.map(({ events, missing, gaps }) => ({ events, missing, gaps })));
});
