import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import type { GatewayInstance, GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { WatchOutlet } from '../../gateway/watch/watch-outlet.ts';
import type { WatchEndReason, WatchEvent, WatchPart } from '../../gateway/watch/watch-record.ts';
import { SseStream } from './sse-stream.ts';
import { TextBatch } from './text-batch.ts';

/** Characters from which on an event takes no more signals. */
const fullEvent = 32 * 1024;

/** Sends the signals and the status of instances as server-sent events, until the last one has ended. */
export class WatchStream extends SseStream<TextBatch> {
  readonly #parts: readonly WatchPart[];
  readonly #lanes = new Set<WatchLane>();

  constructor(scratch: ScratchPool, parts: readonly WatchPart[] = []) {
    super(scratch);
    this.#parts = parts;
  }

  /** Where what is told of one instance goes. */
  outletFor(instance: string): WatchOutlet {
    const lane: WatchLane = new WatchLane(this, instance, this.#parts, () => {
      this.#lanes.delete(lane);
      if (this.#lanes.size === 0) super.end();
    });
    this.#lanes.add(lane);
    return lane;
  }

  /** An event that is larger than a batch goes over several; the client holds that one at most. */
  send(event: WatchEvent, data: string): void {
    const bytes = Buffer.from(`event: ${event}\ndata: ${data}\n\n`);
    for (let offset = 0; offset < bytes.length; ) {
      offset += this.batch.addBytes(bytes, offset);
      this.flush();
    }
  }

  /** Ends all instances. */
  override end(reason: WatchEndReason = 'shut_down'): void {
    for (const lane of [...this.#lanes]) lane.end(reason);
  }

  protected newBatch(scratch: Scratch): TextBatch {
    return new TextBatch(scratch);
  }
}

/** One instance on such a stream. */
class WatchLane implements WatchOutlet {
  readonly parts: readonly WatchPart[];
  readonly #stream: WatchStream;
  /** Its name as JSON. */
  readonly #instance: string;
  readonly #onEnded: () => void;
  #signals: string[] = [];
  #length = 0;

  constructor(
    stream: WatchStream,
    instance: string,
    parts: readonly WatchPart[],
    onEnded: () => void,
  ) {
    this.#stream = stream;
    this.#instance = stringifyJson(instance);
    this.parts = parts;
    this.#onEnded = onEnded;
  }

  get isReady(): boolean {
    return this.#stream.isReady;
  }

  status(record: GatewayInstance): void {
    this.#stream.send('status', stringifyJson(record));
  }

  signal(entry: GatewaySignal): boolean {
    const text = stringifyJson(entry);
    this.#signals.push(text);
    this.#length += text.length;
    return this.#length < fullEvent;
  }

  flush(): void {
    if (this.#signals.length === 0) return;
    const signals = this.#signals;
    this.#signals = [];
    this.#length = 0;
    this.records('signals', signals);
  }

  records(part: WatchPart | 'signals', texts: readonly string[]): void {
    this.#stream.send(part, `{"instance":${this.#instance},"${part}":[${texts.join(',')}]}`);
  }

  end(reason: WatchEndReason): void {
    this.#stream.send('end', `{"instance":${this.#instance},"reason":"${reason}"}`);
    this.#onEnded();
  }
}
