// One client of each stream in a separate process: counts events and missing events. Usage:
// node streams.mjs <host:port>
import { get } from 'node:http';
import { WebSocket } from 'ws';

const [listen] = process.argv.slice(2);
const query = 'channel=SIM00001/1&channel=SIM00001/3';
const eventIdAt = 24;

const account = () => ({ events: 0, gaps: 0, first: 0, last: 0 });
const count = (stream, id) => {
  stream.events++;
  stream.first ||= id;
  stream.last = id;
};

const webSocket = account();
const socket = new WebSocket(`ws://${listen}/api/v1/messages/ws?${query}`, 'svc.frames.v2');
socket.on('message', (data, isBinary) => {
  if (isBinary) count(webSocket, Number(data.readBigUInt64BE(eventIdAt)));
  else webSocket.gaps++;
});
await new Promise((done) => socket.once('open', done));

const sse = account();
await new Promise((done) => {
  get(`http://${listen}/api/v1/messages/stream?${query}`, { agent: false }, (response) => {
    let text = '';
    response.setEncoding('latin1').on('data', (chunk) => {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        if (block.startsWith(':')) continue;
        if (block.includes('\nevent: gap\n')) sse.gaps++;
        else count(sse, Number.parseInt(block.slice(4), 10));
      }
    });
    done();
  });
});

process.send('open');
process.on('message', () => process.send({ webSocket, sse }));
