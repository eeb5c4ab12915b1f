/** Streams events to a client in another process in two ways; prints one JSON object. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ScratchPool } from '../../src/base/scratch-pool.ts';
import { eventObject } from '../../src/frame/event-json.ts';
import { eventEncoder } from '../../src/web/sse/event-stream.ts';
import { answerWithEvents, SseBody } from '../../src/web/sse/sse-body.ts';
import { PrefilledBench } from '../websocket/prefilled-bench.ts';

const records = 100_000;
const payload = 8;
const replays = 6;
const rounds = 6;
const peerBurst = 256;
const selector = 'SIM00001/0';
const openingComment = 1;

const bench = new PrefilledBench(records, payload);
const scratch = new ScratchPool();

/** Prepared texts: the peer is measured at writing alone. */
const texts: string[] = [];
bench.openReader()(
  {
    item: ({ view }, offset) => {
      const event = eventObject(view, offset, selector);
      const data = JSON.stringify({ ...event, stream_epoch: 1 });
      texts.push(`id: ${event.event_id}\nevent: message\ndata: ${data}\n\n`);
      return true;
    },
  },
  records,
);

const writeEach = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let first = 0; first < texts.length; first += peerBurst) {
    for (const text of texts.slice(first, first + peerBurst)) response.write(text);
    if (response.writableNeedDrain) await once(response, 'drain');
  }
};

const server = createServer((request, response) => {
  if (request.url === '/peer') {
    void writeEach(response);
    return;
  }
  const body = new SseBody(scratch);
  bench.replayTo(body.sink(eventEncoder(1, () => selector)), replays);
  answerWithEvents(response, body, { clock: bench.clock, headers: {}, greeting: 'events follow' });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const client = fork(join(import.meta.dirname, 'client.mjs'));
await once(client, 'message');

/** Events per second as counted by the client, and the cost of each for this process. */
const measure = async (path: string, events: number) => {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  client.send({ port, path, events });
  await once(client, 'message');
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { rate: events / seconds, cpuUs: (user + system) / events };
};

const runs: unknown[] = [];
for (let round = 0; round < rounds; round++) {
  const stream = await measure('/events', records * replays + openingComment);
  const peer = await measure('/peer', records);
  runs.push({ stream, peer });
}
client.disconnect();
console.log(JSON.stringify(runs));
process.exit(0);
