import { EventParser } from '../../../clients/typescript/src/event-parser.ts';
import { ApiError } from '../api/api-error.ts';
import { openText } from '../api/client.ts';

const answerMs = 5000;
/** The service sends a heartbeat every 15 s; after two missing ones the connection is dead. */
const silenceMs = 40_000;

interface SseConnection {
  readonly path: string;
  readonly token: string | null;
  readonly after: number | null;
  readonly stopped: AbortSignal;
  readonly onOpen: () => void;
  readonly onEvent: (type: string, data: string, id: string | null) => void;
  readonly onPause: () => void;
}

/**
 * Reads one connection until it closes. Returns why it was lost; null if the service closed it.
 */
export const readEvents = async (connection: SseConnection): Promise<ApiError | null> => {
  const { path, token, after, stopped, onOpen, onEvent, onPause } = connection;
  const dead = new AbortController();
  const abandon = (): void => dead.abort(new DOMException('', 'TimeoutError'));
  let timer = setTimeout(abandon, answerMs);
  const parser = new EventParser();
  try {
    const pieces = await openText(path, {
      headers: after === null ? {} : { 'last-event-id': String(after) },
      signal: AbortSignal.any([stopped, dead.signal]),
      token,
    });
    if (!stopped.aborted) onOpen();
    for await (const piece of pieces) {
      if (stopped.aborted) return null;
      clearTimeout(timer);
      timer = setTimeout(abandon, silenceMs);
      for (const { name, data, lastId } of parser.feed(piece)) {
        if (name !== null) onEvent(name, data, lastId);
      }
      onPause();
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
};
