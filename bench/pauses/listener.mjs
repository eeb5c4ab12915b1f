// One WebSocket client in a separate process that notes the time of every frame. Usage: node
// listener.mjs <url> <max frames>
import { WebSocket } from 'ws';

const [url, most] = process.argv.slice(2);
const timestampAt = 48;
const sourceSequenceAt = 32;
const times = new Float64Array(Number(most));
let count = 0;
let lost = 0;
let last = 0;

const socket = new WebSocket(url, ['svc.frames.v2'], { perMessageDeflate: false });
socket.on('message', (data, isBinary) => {
  if (!isBinary) return;
  const sequence = Number(data.readBigUInt64BE(sourceSequenceAt));
  if (count > 0) lost += sequence - last - 1;
  last = sequence;
  times[count++] = Number(data.readBigUInt64BE(timestampAt));
});
socket.once('open', () => process.send('open'));
process.on('message', () => {
  process.send({ times: times.subarray(0, count), lost });
});
