import { Worker } from 'node:worker_threads';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { Broker } from '../broker.ts';
import { nextIdAt } from '../broker-memory.ts';
import { startCounter } from '../counter.ts';
import { headAt, type RingHandle, reserveAt, wordsOf, writeFloor } from '../ring-memory.ts';
import type {
  ReaderReport,
  ReaderSettings,
  ReaderStart,
  StressSettings,
  WriterSettings,
  WriterStart,
} from './stress-settings.ts';

/** Far longer than any run; ends a reader that misses its last records. */
const stalledAfterMs = 20_000;

export interface StressFiles {
  readonly writer: string;
  readonly reader: string;
}

export interface StressReport {
  readonly errors: readonly string[];
  readonly readers: readonly ReaderReport[];
  readonly kills: number;
}

/**
 * Runs writers and readers in separate threads until every reader has checked every record, or
 * one has found an error.
 */
export class Stress {
  readonly #broker = new Broker();
  readonly #plan: StressSettings;
  readonly #files: StressFiles;
  readonly #startAt: number;
  readonly #rings = new Map<number, RingHandle>();
  readonly #workers = new Set<Worker>();
  readonly #reports: ReaderReport[] = [];
  readonly #end: Promise<string[]>;
  #finish: (errors: string[]) => void = () => {};
  #kills = 0;

  constructor(plan: StressSettings, files: StressFiles) {
    this.#plan = plan;
    this.#files = files;
    this.#startAt = plan.startAt ?? 0;
    this.#end = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async run(): Promise<StressReport> {
    const { memory } = this.#broker;
    if (this.#startAt > 0) startCounter(memory.words, nextIdAt, this.#startAt);
    const writers = this.#plan.writers.map((plan) => this.#openRings(plan));
    const timeOut = new SystemClock().after(stalledAfterMs, () => this.#finish(this.#stalled()));
    try {
      await Promise.all(this.#plan.readers.map((plan) => this.#startReader(plan)));
      for (const { plan, writer } of writers) this.#startWriter(plan, writer, 0);
      const errors = await this.#end;
      return { errors, readers: this.#reports, kills: this.#kills };
    } finally {
      timeOut.cancel();
      await Promise.all([...this.#workers].map((worker) => worker.terminate()));
    }
  }

  #stalled(): string[] {
    const done = new Set(this.#reports.map(({ name }) => name));
    const names = this.#plan.readers.map(({ name }) => name).filter((name) => !done.has(name));
    return [`stalled: ${names.join(', ')}`];
  }

  #openRings(plan: WriterSettings): { plan: WriterSettings; writer: number } {
    const writer = this.#broker.claimWriter();
    for (const { channel, slots } of plan.rings) {
      const ring = this.#broker.openRing({ channel, writer, slots });
      const words = wordsOf(ring.buffer);
      startCounter(words, reserveAt, this.#startAt);
      startCounter(words, headAt, this.#startAt);
      writeFloor(ring.buffer, slots, { index: this.#startAt, eventId: 0 });
      this.#rings.set(channel, ring);
    }
    return { plan, writer };
  }

  #ringsOf(channels: readonly number[]): RingHandle[] {
    return channels.flatMap((channel) => this.#rings.get(channel) ?? []);
  }

  #startReader(plan: ReaderSettings): Promise<void> {
    const allRings = this.#plan.writers.flatMap(({ rings }) => rings);
    const recordsOf = (wanted: number): number =>
      allRings.find(({ channel }) => channel === wanted)?.records ?? 0;
    const start: ReaderStart = {
      control: this.#broker.memory.buffer,
      reader: this.#broker.claimReader(),
      plan,
      rings: this.#ringsOf(plan.channels),
      records: plan.channels.map(recordsOf),
      startAt: this.#startAt,
    };
    const worker = this.#startWorker(this.#files.reader, start);
    return new Promise((ready) => {
      worker.on('message', (message: 'ready' | ReaderReport) => {
        if (message === 'ready') ready();
        else this.#take(message);
      });
    });
  }

  #take(report: ReaderReport): void {
    this.#reports.push(report);
    const errors = report.errors.map((error) => `${report.name}: ${error}`);
    const isLast = this.#reports.length === this.#plan.readers.length;
    if (errors.length > 0 || isLast) this.#finish(errors);
  }

  #startWriter(plan: WriterSettings, writer: number, kill: number): void {
    const order = plan.kills?.[kill];
    const start: WriterStart = {
      control: this.#broker.memory.buffer,
      writer,
      plan,
      rings: this.#ringsOf(plan.rings.map(({ channel }) => channel)),
      startAt: this.#startAt,
      ...(order && ('point' in order ? { stop: order } : order)),
    };
    const worker = this.#startWorker(this.#files.writer, start);
    worker.on('message', async (message: 'kill me' | 'done') => {
      if (message !== 'kill me') return;
      await worker.terminate();
      this.#kills++;
      this.#broker.recoverWriter(writer);
      this.#startWriter(plan, writer, kill + 1);
    });
  }

  #startWorker(file: string, workerData: WriterStart | ReaderStart): Worker {
    const worker = new Worker(file, { workerData });
    this.#workers.add(worker);
    worker.on('error', (error) => this.#finish([`a thread failed: ${error.stack}`]));
    return worker;
  }
}
