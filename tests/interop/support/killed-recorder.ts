import { writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '../../../src/base/clock/testing/fake-clock.ts';
import { BenchOfRings } from '../../../src/broker/testing/bench-of-rings.ts';
import { SilentBell } from '../../../src/broker/testing/silent-bell.ts';
import { gzipFile } from '../../../src/recording/compress-file.ts';
import { Recorder } from '../../../src/recording/recorder.ts';
import { type FileCalls, systemCalls } from '../../../src/recording/recording-file.ts';
import type { RecordingFormat } from '../../../src/recording/recording-record.ts';
import { plainRecording } from '../../../src/recording/recording-request.ts';
import { countEvents } from '../../../src/recording/service/closed-recordings.ts';
import { publishFrames } from '../../../src/recording/testing/publish-frames.ts';
import { createAsc } from '../../../src/trace/asc/asc-writer.ts';
import { createBlf } from '../../../src/trace/blf/create-blf.ts';
import { createCandump } from '../../../src/trace/candump/candump-writer.ts';
import { createMf4 } from '../../../src/trace/mf4/create-mf4.ts';

// Records seeded traffic, and kills itself in a write: `project format seed events share`. After
// `events` events, the next write stops at a share of its bytes. A line of the output says which
// events were published when, before they can be written.
const [, , projectRoot = '', format = '', seed = '', events = '', share = ''] = process.argv;

let state = Number(seed);
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

let published = 0;
const calls: FileCalls = {
  ...systemCalls,
  write: (fd, bytes, offset, position) => {
    if (published < Number(events)) return systemCalls.write(fd, bytes, offset, position);
    const left = bytes.length - offset;
    const end = offset + Math.floor(left * Number(share));
    if (end > offset) writeSync(fd, bytes, offset, end - offset, position);
    process.kill(process.pid, 'SIGKILL');
    throw new Error('still alive');
  },
};

const rings = new BenchOfRings();
const clock = new FakeClock();
const bell = new SilentBell();
const recorder = new Recorder({
  memory: rings.memory,
  bell,
  clock,
  channels: [],
  projectRoot,
  writers: { asc: createAsc, blf: createBlf, candump: createCandump, mf4: createMf4 },
  compress: gzipFile,
  count: countEvents,
  onProgress: () => undefined,
  onEnded: () => process.exit(1),
  onDefect: () => process.exit(1),
  calls,
});
const writers = [0, 1].map((slot) => {
  const { ring, writer } = rings.open(slot, 4096);
  recorder.open({ slot, selector: `SIM00001/${slot}`, name: null, number: slot + 1, ring });
  return writer;
});
recorder.begin(
  plainRecording({
    name: 'night',
    file: 'night_{n}.trace',
    format: format as RecordingFormat,
    split: { max_bytes: 65_536 + Math.floor(random() * 65_536) },
  }),
);
for (;;) {
  const first = published;
  for (const writer of writers) {
    const count = Math.floor(random() * 20);
    const timestampUs = clock.unixUs() + published - first;
    publishFrames(writer, count, { firstId: published, timestampUs });
    published += count;
    writeSync(1, `${published} ${timestampUs}\n`);
  }
  bell.ring();
  clock.advanceUs(10_000);
  await turn();
}
