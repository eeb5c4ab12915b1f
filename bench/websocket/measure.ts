/** Streams frames to a client in another process in two ways; prints one JSON object. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ScratchPool } from '../../src/base/scratch-pool.ts';
import { framesSubprotocol } from '../../src/frame/frames-subprotocol.ts';
import { frm2Length } from '../../src/frame/frm2-codec.ts';
import { FrameSink } from '../../src/web/ws/frame-sink.ts';
import { upgradeToFrames } from '../../src/web/ws/websocket-upgrade.ts';
import { PrefilledBench } from './prefilled-bench.ts';

const records = 200_000;
const payload = 8;
const replays = 8;
const rounds = 4;
const peerBurst = 256;

const bench = new PrefilledBench(records, payload);
const scratch = new ScratchPool();

/** A simple implementation without batches: one message at a time, with backpressure. */
const sendEach = async (webSocket: WebSocket, socket: Duplex): Promise<void> => {
  const read = bench.openReader();
  const visitor = {
    item: ({ bytes, view }: { bytes: Uint8Array; view: DataView }, offset: number): boolean => {
      webSocket.send(bytes.slice(offset, offset + frm2Length(view, offset)));
      return true;
    },
  };
  while (read(visitor, peerBurst) > 0) {
    if (socket.writableNeedDrain) await once(socket, 'drain');
  }
};

const peers = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  handleProtocols: () => framesSubprotocol,
});

const server = createServer();
server.on('upgrade', (request, socket, head) => {
  if (request.url === '/peer') {
    peers.handleUpgrade(request, socket, head, (webSocket) => void sendEach(webSocket, socket));
    return;
  }
  const sink = new FrameSink({ socket, scratch, epoch: 1 });
  bench.replayTo(sink, replays);
  upgradeToFrames(request, socket, head, { clock: bench.clock, headers: {}, sink });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const client = fork(join(import.meta.dirname, 'client.mjs'));
await once(client, 'message');

/** Frames per second as counted by the client, and the cost of each for this process. */
const measure = async (path: string, frames: number) => {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  client.send({ port, path, frames });
  await once(client, 'message');
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { rate: frames / seconds, cpuUs: (user + system) / frames };
};

const runs: unknown[] = [];
for (let round = 0; round < rounds; round++) {
  const stream = await measure('/frames', records * replays);
  const peer = await measure('/peer', records);
  runs.push({ stream, peer });
}
client.disconnect();
console.log(JSON.stringify(runs));
process.exit(0);
