import { Broker } from '../broker.ts';
import { Publisher } from '../publisher.ts';
import type { RingHandle } from '../ring-memory.ts';
import { RingWriter } from '../ring-writer.ts';
import { publishSamples } from './sample-records.ts';

/** A broker in one thread with a writer for each ring, for tests without threads. */
export class BenchOfRings {
  readonly broker = new Broker();
  readonly memory = this.broker.memory;

  /** Opens a channel with its own writer, or with the given one. */
  open(channel: number, slots: number, publisher = this.publisher()): OpenRing {
    const ring = this.broker.openRing({ channel, writer: publisher.writer, slots });
    return new OpenRing(ring, publisher);
  }

  publisher(): Publisher {
    return new Publisher(this.memory, this.broker.claimWriter());
  }
}

export class OpenRing {
  readonly ring: RingHandle;
  readonly writer: RingWriter;

  constructor(ring: RingHandle, publisher: Publisher) {
    this.ring = ring;
    this.writer = new RingWriter(publisher, ring);
  }

  publish(records: number): void {
    for (let record = 0; record < records; record++) publishSamples(this.writer);
  }
}
