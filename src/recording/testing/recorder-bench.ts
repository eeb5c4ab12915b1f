import { join } from 'node:path';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { BenchOfRings, type OpenRing } from '../../broker/testing/bench-of-rings.ts';
import { SilentBell } from '../../broker/testing/silent-bell.ts';
import { createAsc } from '../../trace/asc/asc-writer.ts';
import { createBlf } from '../../trace/blf/create-blf.ts';
import { createCandump } from '../../trace/candump/candump-writer.ts';
import { createMf4 } from '../../trace/mf4/create-mf4.ts';
import type { CreateTrace } from '../../trace/trace-format.ts';
import { type Compress, type CountEvents, gzipFile } from '../compress-file.ts';
import { Recorder, type RecorderChannel } from '../recorder.ts';
import type { FileCalls } from '../recording-file.ts';
import type { RecorderStatus } from '../recording-record.ts';
import { plainRecording, type RecordingRequest } from '../recording-request.ts';
import { publishFrames } from './publish-frames.ts';
import { readRecording } from './read-recording.ts';

interface RecorderBenchOptions {
  readonly calls?: FileCalls;
  readonly createTrace?: CreateTrace;
  readonly compress?: Compress;
  readonly count?: CountEvents;
  /** Instead of a project of its own. */
  readonly project?: string;
}

const countIds: CountEvents = async ({ projectRoot, folder, from }) =>
  readRecording(join(projectRoot, folder, from)).ids.length;

/** A recorder on real rings and files, with a clock and a bell controlled by the test. */
export class RecorderBench {
  readonly files = new FileSandbox();
  readonly rings = new BenchOfRings();
  readonly clock = new FakeClock();
  readonly bell = new SilentBell();
  readonly ends: RecorderStatus[] = [];
  readonly progress: RecorderStatus[] = [];
  readonly defects: unknown[] = [];
  readonly recorder: Recorder;
  #published = 0;

  constructor({
    calls,
    createTrace = createAsc,
    compress = gzipFile,
    count = countIds,
    project,
  }: RecorderBenchOptions = {}) {
    this.recorder = new Recorder({
      memory: this.rings.memory,
      bell: this.bell,
      clock: this.clock,
      channels: [],
      projectRoot: project ?? this.files.project,
      writers: { asc: createTrace, blf: createBlf, candump: createCandump, mf4: createMf4 },
      compress,
      count,
      onProgress: (record) => this.progress.push(record),
      onEnded: (record) => this.ends.push(record),
      onDefect: (thrown) => this.defects.push(thrown),
      ...(calls ? { calls } : {}),
    });
  }

  get path(): string {
    return join(this.files.project, 'drive.asc');
  }

  begin(request: Partial<RecordingRequest> = {}): RecorderStatus {
    return this.recorder.begin(plainRecording({ file: 'drive.asc', format: 'asc', ...request }));
  }

  /** Opens a port in a slot; by default the port with the same number. */
  open(slot: number, { slots = 64, name = null as string | null, port = slot } = {}): OpenRing {
    const opened = this.rings.open(slot, slots);
    const { ring } = opened;
    const entry: RecorderChannel = {
      slot,
      selector: `SIM00001/${port}`,
      name,
      number: port + 1,
      ring,
    };
    this.recorder.open(entry);
    return opened;
  }

  /** Closes a channel as the bench does, and overwrites its memory: no reader may access it. */
  close({ ring }: OpenRing): void {
    this.rings.broker.closeRing(ring.channel);
    this.recorder.close(ring.channel);
    new Uint8Array(ring.buffer).fill(0xff);
  }

  /** Publishes frames; their ids and times increase over all channels. */
  publish({ writer }: OpenRing, count: number, shiftUs = 0): void {
    const timestampUs = this.clock.unixUs() + this.#published + shiftUs;
    publishFrames(writer, count, { firstId: this.#published, timestampUs });
    this.#published += count;
  }

  /** Wakes a sleeping recorder, and advances by some milliseconds. */
  settle(): void {
    this.bell.ring();
    this.clock.advanceUs(50_000);
  }

  /** Flushes all pending output to the file. */
  release(): void {
    this.bell.ring();
    this.clock.advanceUs(300_000);
  }

  read() {
    return readRecording(this.path);
  }

  /** Waits for what the recorder still does with its files. */
  async dispose(): Promise<void> {
    this.recorder.finish();
    await this.recorder.settled();
    this.files.dispose();
  }
}
