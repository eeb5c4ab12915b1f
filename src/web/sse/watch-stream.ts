import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import type { GatewayInstance, GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { WatchEndReason, WatchOutlet } from '../../gateway/watch/watch-outlet.ts';
import type { WatchPart } from '../../gateway/watch/watch-parts.ts';
import { SseStream } from './sse-stream.ts';
import { TextBatch } from './text-batch.ts';

/** Characters from which on an event takes no more signals. */
const fullEvent = 32 * 1024;

/** Sends the signals and the status of an instance as server-sent events. */
export class WatchStream extends SseStream<TextBatch> implements WatchOutlet {
  readonly parts: readonly WatchPart[];
  readonly #instance: string;
  #signals: string[] = [];
  #length = 0;

  constructor(scratch: ScratchPool, instance: string, parts: readonly WatchPart[] = []) {
    super(scratch);
    this.#instance = instance;
    this.parts = parts;
  }

  status(record: GatewayInstance): void {
    this.#send('status', stringifyJson(record));
  }

  signal(entry: GatewaySignal): boolean {
    const text = stringifyJson(entry);
    this.#signals.push(text);
    this.#length += text.length;
    return this.#length < fullEvent;
  }

  override flush(): void {
    if (this.#signals.length > 0) {
      const signals = this.#signals;
      this.#signals = [];
      this.#length = 0;
      this.#sendList('signals', signals);
    }
    super.flush();
  }

  records(part: WatchPart, texts: readonly string[]): void {
    this.#sendList(part, texts);
  }

  override end(reason: WatchEndReason = 'shut_down'): void {
    this.#send('end', stringifyJson({ reason }));
    super.end();
  }

  protected newBatch(scratch: Scratch): TextBatch {
    return new TextBatch(scratch);
  }

  #sendList(name: string, texts: readonly string[]): void {
    this.#send(
      name,
      `{"instance":${stringifyJson(this.#instance)},"${name}":[${texts.join(',')}]}`,
    );
  }

  /** An event that is larger than a batch goes over several; the client holds that one at most. */
  #send(event: string, data: string): void {
    const bytes = Buffer.from(`event: ${event}\ndata: ${data}\n\n`);
    for (let offset = 0; offset < bytes.length; ) {
      offset += this.batch.addBytes(bytes, offset);
      super.flush();
    }
  }
}
