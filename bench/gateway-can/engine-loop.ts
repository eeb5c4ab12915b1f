// The engine as in the bench thread, between two queues in memory.
import { Engine } from '../../src/gateway/engine/engine.ts';
import { buildImage } from '../../src/gateway/image/build-image.ts';
import { StateWriter } from '../../src/gateway/image/image-state.ts';
import { loadProject } from '../../src/gateway/project/load-project.ts';
import { printBestRound } from './best-round.mjs';
import { frameBytes, frameCount, project } from './project.mjs';

const image = buildImage(loadProject(Buffer.from(JSON.stringify(project))));
const sent = new Uint8Array(8);
/** A plain double would be allocated again with every frame. */
const now = Float64Array.of(1_000_000);
const monotonicUs = (): number => now[0] as number;
const engine = new Engine({
  image,
  writer: new StateWriter(image),
  clock: { unixOffsetUs: 0, monotonicUs },
  transport: {
    channelOf: () => null,
    serve: () => undefined,
    send: (_task, bytes) => {
      for (let index = 0; index < sent.length; index++) sent[index] = bytes[index] as number;
      return null;
    },
  },
});
for (const _ of engine.compile());
for (const _ of engine.reset());
engine.begin(monotonicUs());

const record = new DataView(new ArrayBuffer(frameCount * 8));
for (let index = 0; index < frameCount; index++) {
  new Uint8Array(record.buffer, index * 8, 8).set(frameBytes(index));
}
const message = engine.inputs[0]?.message;
if (!message) throw new Error('The project has no input');

const round = (frames: number): void => {
  for (let index = 0; index < frames; index++) {
    now[0] = monotonicUs() + 50;
    const nowUs = monotonicUs();
    engine.receive(message, record, (index % frameCount) * 8, 8, nowUs);
    engine.run(nowUs);
    engine.settled(0, null, nowUs);
  }
};

printBestRound(round, () => sent);
