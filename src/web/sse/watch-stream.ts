import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { EndReason } from '../../base/subscription.ts';
import type { WatchSink } from '../../gateway/watch/instance-watches.ts';
import type { WatchItem } from '../../gateway/watch/watch-cursor.ts';
import type { WatchEvent, WatchPart } from '../../gateway/watch/watch-record.ts';
import { gatewayStream } from '../../operations/gateway-watch.ts';
import type { SseBody, SseEncoder, SseStream } from './sse-body.ts';

const fullEvent = 32 * 1024;

export class WatchEncoder implements SseEncoder<WatchItem, WatchEvent> {
  readonly #instance: string;
  #event: WatchEvent = 'signals';
  #texts: string[] = [];
  #length = 0;

  constructor(instance: string) {
    this.#instance = stringifyJson(instance);
  }

  item(body: SseBody, item: WatchItem, event: WatchEvent): boolean {
    const text = typeof item === 'string' ? item : stringifyJson(item);
    if (event === 'status') return body.text(`event: status\ndata: ${text}\n\n`);
    if (event !== this.#event) this.flush(body);
    this.#event = event;
    this.#texts.push(text);
    this.#length += text.length;
    return this.#length < fullEvent || this.flush(body);
  }

  flush(body: SseBody): boolean {
    if (this.#texts.length === 0) return true;
    const records = `"${this.#event}":[${this.#texts.join(',')}]`;
    this.#texts = [];
    this.#length = 0;
    body.text(`event: ${this.#event}\ndata: {"instance":${this.#instance},${records}}\n\n`);
    body.flush();
    return body.isReady;
  }

  end(body: SseBody, reason: EndReason): void {
    body.text(`event: end\ndata: {"instance":${this.#instance},"reason":"${reason}"}\n\n`);
  }
}

interface WatchQuery {
  readonly instance: string;
  readonly also?: readonly string[];
  readonly include?: readonly WatchPart[];
}

interface WatchSource {
  watch(instance: string, parts: readonly WatchPart[], sink: WatchSink): Promise<unknown>;
}

export const watchStream = (watches: WatchSource): SseStream => ({
  operation: gatewayStream,
  greeting: 'signals follow',
  subscribe: async (body, query) => {
    const { instance, also = [], include = [] } = query as WatchQuery;
    for (const name of new Set([instance, ...also])) {
      await watches.watch(name, include, body.sink(new WatchEncoder(name)));
    }
  },
});
