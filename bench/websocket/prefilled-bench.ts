import { setImmediate as nextTurn } from 'node:timers/promises';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { Broker } from '../../src/broker/broker.ts';
import { Doorbell } from '../../src/broker/doorbell.ts';
import { MergedReader } from '../../src/broker/merged-reader.ts';
import { Publisher } from '../../src/broker/publisher.ts';
import { type EventSink, ReaderHub } from '../../src/broker/reader-hub.ts';
import type { RecordVisitor } from '../../src/broker/ring-cursor.ts';
import { RingWriter } from '../../src/broker/ring-writer.ts';
import { fillFrame } from '../broker/fill-frame.ts';

const slots = 2 ** 18;
const batch = 16;

/** A ring full of frames, and a hub that streams them repeatedly. */
export class PrefilledBench {
  readonly records: number;
  readonly clock = new SystemClock();
  readonly #broker = new Broker();
  readonly #ring = this.#broker.openRing({
    channel: 0,
    writer: this.#broker.claimWriter(),
    slots,
  });
  readonly #hub = new ReaderHub({
    memory: this.#broker.memory,
    clock: this.clock,
    bell: new Doorbell(this.#broker.memory, this.#broker.claimReader()),
    onDefect: (thrown) => {
      throw thrown;
    },
  });

  constructor(records: number, payload: number) {
    this.records = records;
    this.#hub.addRing(this.#ring);
    const publisher = new Publisher(this.#broker.memory, this.#ring.writer);
    const writer = new RingWriter(publisher, this.#ring);
    for (let done = 0; done < records; done += batch) {
      writer.reserve(batch);
      for (let at = 0; at < batch; at++) {
        fillFrame(writer.view, writer.offsetOf(at), done + at, payload);
      }
      writer.commit();
    }
  }

  /** A separate reader, without the hub. */
  openReader(): (visitor: RecordVisitor, limit: number) => number {
    const reader = new MergedReader({ memory: this.#broker.memory, rings: [this.#ring] });
    reader.seek(0);
    return (visitor, limit) => reader.pass(visitor, limit);
  }

  replayTo(sink: EventSink, times: number): void {
    let isStarted = false;
    const run = async (): Promise<void> => {
      for (let time = 0; time < times; time++) {
        const current = this.#hub.subscribe({ channels: [0], after: 0, capacity: slots, sink });
        while ((this.#hub.consumersOf(0)[0]?.lag ?? 0) > 0) await nextTurn();
        current.close();
      }
    };
    const resume = (): void => {
      if (!isStarted) void run();
      isStarted = true;
    };
    const nothing = (): void => {};
    sink.attach?.({ hasBacklog: false, resume, last: nothing, end: nothing, close: nothing });
  }
}
