import { RequestTimeout, Unreachable } from './errors.ts';
import { EventParser, type ServerSentEvent } from './event-parser.ts';
import { send, succeeded } from './http.ts';
import { type BinaryFrame, decodeFrame, type Gap, gapOf } from './items.ts';
import type { Source } from './stream.ts';

export interface Position {
  after: number | null;
}

interface GapData {
  readonly missed?: number | null;
  readonly oldest_available: number;
  readonly newest_available: number;
}

/** Body of a stream. The time limit applies only to opening it. */
const openBody = async (
  url: string,
  token: string | null,
  abort: AbortController,
  timeoutMs: number,
): Promise<ReadableStream<Uint8Array>> => {
  const late = new RequestTimeout(`${url} was not answered`);
  const timer = setTimeout(() => abort.abort(late), timeoutMs);
  const headers = { accept: 'text/event-stream' };
  const request = { headers, token, timeoutMs: Infinity, signal: abort.signal };
  try {
    const { body } = await send(url, request, succeeded);
    if (body === null) throw new Unreachable(`${url} has no body`);
    return body;
  } finally {
    clearTimeout(timer);
  }
};

/** Server-sent events over fetch, which can send a token; `EventSource` cannot. */
export const openEvents = async <Item>(
  url: string,
  token: string | null,
  position: Position | null,
  decode: (name: string, data: never) => Item,
  timeoutMs: number,
): Promise<Source<Item | Gap>> => {
  const abort = new AbortController();
  const body = await openBody(url, token, abort, timeoutMs);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  let isOver = false;
  let failure: { readonly error: unknown } | null = null;
  const take = ({ name, data, lastId }: ServerSentEvent, items: (Item | Gap)[]): void => {
    if (name !== null) {
      const reported = JSON.parse(data);
      items.push(
        name === 'gap' ? gapOf('lost', reported as GapData) : decode(name, reported as never),
      );
      if (name === 'end' && reported.reason === 'unloaded') isOver = true;
    }
    if (position !== null && lastId !== null) position.after = Number(lastId);
  };
  return {
    get isOver() {
      return isOver;
    },
    async read() {
      if (failure !== null) throw failure.error;
      // A broken connection ends only this source: the stream continues on another one.
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return null;
      const items: (Item | Gap)[] = [];
      for (const event of parser.feed(decoder.decode(value, { stream: true }))) {
        try {
          take(event, items);
        } catch (error) {
          // Items before the error are delivered first, and none after it: they would be
          // skipped silently.
          failure = { error };
          break;
        }
      }
      if (failure !== null && items.length === 0) throw failure.error;
      return items;
    },
    close: () => abort.abort(),
  };
};

/**
 * The part of a WebSocket that is used: in browsers, in Node 22 and later, or from the package
 * ws.
 */
export interface WebSocketLike {
  binaryType: string;
  close(): void;
  addEventListener(name: string, listener: (event: { data?: unknown }) => void): void;
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

const subprotocol = 'svc.frames.v2';

/** Opens the stream of binary frames. */
export const openFrames = (
  WebSocket: WebSocketConstructor,
  url: string,
  token: string | null,
  position: Position,
  timeoutMs: number,
): Promise<Source<BinaryFrame | Gap>> => {
  const protocols = token === null ? [subprotocol] : [subprotocol, `svc.token.${token}`];
  const socket = new WebSocket(url, protocols);
  socket.binaryType = 'arraybuffer';
  const waiting: (BinaryFrame | Gap)[] = [];
  let hasEnded = false;
  let failure: unknown;
  let wake = (): void => {};
  const take = (data: unknown): BinaryFrame | Gap => {
    if (typeof data !== 'string') {
      const frame = decodeFrame(new Uint8Array(data as ArrayBuffer));
      position.after = frame.event_id;
      return frame;
    }
    const reported = JSON.parse(data) as GapData;
    position.after = reported.oldest_available - 1;
    return gapOf('lost', reported);
  };
  const source: Source<BinaryFrame | Gap> = {
    isOver: false,
    async read() {
      if (waiting.length === 0 && !hasEnded) {
        await new Promise<void>((ready) => {
          wake = ready;
        });
      }
      if (waiting.length > 0) return waiting.splice(0);
      if (failure !== undefined) throw failure;
      return null;
    },
    close: () => socket.close(),
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new RequestTimeout(`${url} was not answered`));
      socket.close();
    }, timeoutMs);
    socket.addEventListener('open', () => {
      clearTimeout(timer);
      resolve(source);
    });
    socket.addEventListener('message', ({ data }) => {
      // Nothing is accepted after an unreadable message: it would be skipped silently.
      if (hasEnded) return;
      try {
        waiting.push(take(data));
      } catch (error) {
        failure = error;
        hasEnded = true;
        socket.close();
      }
      wake();
    });
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', () => {
      clearTimeout(timer);
      hasEnded = true;
      wake();
      reject(new Unreachable(`${url} cannot be reached`));
    });
  });
};
