import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import type { GatewayInstance, GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { WatchOutlet, WatchSubscription } from '../../gateway/watch/watch-outlet.ts';
import type { WatchEndReason, WatchEvent, WatchPart } from '../../gateway/watch/watch-record.ts';
import { answerWithStream } from './sse-response.ts';
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

export interface OpenWatchStreamOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  readonly instances: readonly string[];
  /** What the client wants beside signals and status. */
  readonly parts: readonly WatchPart[];
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Starts to follow an instance. What it rejects with is for the caller that opens the stream. */
  readonly watch: (instance: string, outlet: WatchOutlet) => Promise<WatchSubscription>;
  /** Counts the stream, which `end` ends; null where the service has ended meanwhile. Likewise. */
  readonly keep: (all: WatchSubscription, end: () => void) => WatchSubscription | null;
}

/** Follows all of them or none. */
const watchAll = async (
  stream: WatchStream,
  instances: readonly string[],
  watch: OpenWatchStreamOptions['watch'],
): Promise<WatchSubscription> => {
  const held: WatchSubscription[] = [];
  const close = (): void => {
    for (const each of held) each.close();
  };
  try {
    for (const instance of instances) held.push(await watch(instance, stream.outletFor(instance)));
  } catch (thrown) {
    close();
    throw thrown;
  }
  let turn = 0;
  const resume = (): void => {
    // Each is the first in its turn: a client that is slow hears of all of them.
    turn = (turn + 1) % held.length;
    for (const each of [...held.slice(turn), ...held.slice(0, turn)]) each.resume();
  };
  return { resume, close };
};

/**
 * Answers a request with what becomes of instances. Rejects only before the first byte of an answer, so
 * that the caller can still give another one.
 */
export const openWatchStream = async (
  response: ServerResponse,
  { clock, scratch, instances, parts, headers, watch, keep }: OpenWatchStreamOptions,
): Promise<void> => {
  const stream = new WatchStream(scratch, parts);
  const all = await watchAll(stream, instances, watch);
  let subscription: WatchSubscription | null = null;
  try {
    subscription = keep(all, () => stream.end('shut_down'));
  } finally {
    if (!subscription) all.close();
  }
  if (!subscription) return;
  if (response.destroyed) {
    subscription.close();
    return;
  }
  answerWithStream(response, stream, { clock, headers, greeting: 'signals follow', subscription });
};
