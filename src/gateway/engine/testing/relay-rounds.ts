/**
 * Rounds of an engine that each receive a frame and send two, with a transport that keeps
 * nothing. Prints the bytes allocated per round once V8 has compiled the code, and the frames
 * sent in a round.
 */
import { buildImage } from '../../image/build-image.ts';
import { StateWriter } from '../../image/image-state.ts';
import { loadProject } from '../../project/load-project.ts';
import { Engine } from '../engine.ts';
import { busyRelay } from './busy-relay.ts';

const warmUpRounds = 200_000;
const rounds = 20_000;
const roundUs = 1000;

const image = buildImage(loadProject(Buffer.from(JSON.stringify(busyRelay()))));
/** The time is in an array: a variable would create an object for each new value. */
const time = Float64Array.of(123_456_789);
const inFlight = new Uint8Array(2);
let sent = 0;
const engine = new Engine({
  image,
  writer: new StateWriter(image),
  clock: { unixOffsetUs: 1_700_000_000_000_000, monotonicUs: () => time[0] as number },
  transport: {
    channelOf: () => null,
    serve: () => undefined,
    send: (task) => {
      inFlight[task] = 1;
      sent += 1;
      return null;
    },
  },
});
for (const _ of engine.compile());
for (const _ of engine.reset());
const message = engine.inputs[0]?.message;
if (!message) throw new Error('The project receives nothing');
engine.begin(time[0] as number);
engine.run(time[0] as number);

const settle = (): void => {
  for (let task = 0; task < inFlight.length; task++) {
    if (inFlight[task] === 0) continue;
    inFlight[task] = 0;
    engine.settled(task, null, time[0] as number);
  }
};

const record = new DataView(new ArrayBuffer(8));
const run = (count: number): void => {
  for (let round = 0; round < count; round++) {
    time[0] = (time[0] as number) + roundUs;
    record.setUint8(0, round);
    record.setUint16(1, round & 0x3fff, true);
    engine.receive(message, record, 0, 4, time[0] as number);
    engine.run(time[0] as number);
    settle();
  }
};

settle();
run(warmUpRounds);
globalThis.gc?.();
// A collection discards compiled code whose objects are no longer used, so this is also warm-up.
run(rounds);
globalThis.gc?.();
sent = 0;
const before = process.memoryUsage().heapUsed;
run(rounds);
const bytes = process.memoryUsage().heapUsed - before;
console.log(JSON.stringify({ bytes: bytes / rounds, sent: sent / rounds }));
