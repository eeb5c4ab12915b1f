import { ApiError } from '../api/api-error.ts';
import type { Followed } from './followed.ts';
import { Inbox } from './inbox.ts';
import type { Piece } from './shared-stream.ts';
import type { StreamAnswer, StreamReply, StreamRequest } from './stream-messages.ts';

const answerMs = 10_000;
const silenceMs = 20_000;

const missing = (): ApiError =>
  new ApiError({
    code: 'streams_missing',
    message: 'The stream worker of the console does not answer',
  });

let own: Worker | null = null;

/**
 * Port to the worker with the connections. A browser has six per service for all tabs, so one
 * shared worker serves them all.
 */
const connect = (onMissing: () => void, stopped: AbortSignal): MessagePort => {
  if (typeof SharedWorker === 'function') {
    const shared = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), {
      type: 'module',
      name: 'busbar-streams',
    });
    shared.onerror = onMissing;
    return shared.port;
  }
  if (!own) {
    own = new Worker(new URL('./stream-worker.ts', import.meta.url), { type: 'module' });
    own.onerror = () => {
      own = null;
    };
  }
  own.addEventListener('error', onMissing, { signal: stopped });
  const { port1, port2 } = new MessageChannel();
  own.postMessage(null, [port2]);
  return port1;
};

type StreamItem = Exclude<StreamAnswer, { readonly type: 'heartbeat' | 'end' }>;

export async function* askStreams(
  request: StreamRequest,
  stopped: AbortSignal,
): AsyncGenerator<StreamItem> {
  const inbox = new Inbox<StreamAnswer>();
  const port = connect(() => inbox.end(missing()), stopped);
  const say = (reply: StreamReply): void => port.postMessage(reply);
  const waitFor = (ms: number) => setTimeout(() => inbox.end(missing()), ms);
  let timer = waitFor(answerMs);
  const leave = (): void => {
    clearTimeout(timer);
    inbox.drop();
    say({ type: 'leave' });
    port.close();
  };
  stopped.addEventListener('abort', leave);
  port.onmessage = ({ data }: MessageEvent<StreamAnswer>) => {
    clearTimeout(timer);
    timer = waitFor(silenceMs);
    inbox.put(data);
  };
  // Not every browser reports that a worker stopped; a missing heartbeat does.
  port.addEventListener('close', () => inbox.end(missing()));
  port.postMessage(request);
  for await (const answer of inbox) {
    if (answer.type === 'end') {
      if (answer.error) throw new ApiError(answer.error);
      return;
    }
    if (answer.type !== 'heartbeat') yield answer;
    say({ type: 'ack' });
  }
}

async function* piecesOf(answers: AsyncIterable<StreamItem>): AsyncGenerator<Piece> {
  for await (const answer of answers) if (answer.type === 'piece') yield answer;
}

/**
 * Opens the sample stream of these signals. Returns null if it was closed first. Throws only
 * ApiError.
 */
export const openSamples = async (
  request: { readonly token: string | null; readonly followed: Followed },
  after: number | null,
  stopped: AbortSignal,
): Promise<AsyncIterable<Piece> | null> => {
  const answers = askStreams({ type: 'samples', ...request, after }, stopped);
  const { done } = await answers.next();
  return done ? null : piecesOf(answers);
};

export const openReport = async (
  request: { readonly token: string | null; readonly path: string },
  stopped: AbortSignal,
): Promise<AsyncIterable<Piece> | null> => {
  const answers = askStreams({ type: 'report', ...request }, stopped);
  const { done } = await answers.next();
  return done ? null : piecesOf(answers);
};

/**
 * Acquires a slot for a long request. Returns a function to release it; throws if none is free.
 */
export const takeSlot = async (): Promise<() => void> => {
  const done = new AbortController();
  const answers = askStreams({ type: 'slot' }, done.signal);
  try {
    await answers.next();
  } catch (thrown) {
    done.abort();
    if ((thrown as ApiError).code !== 'streams_missing') throw thrown;
  }
  // Heartbeats have to be read.
  answers.next().catch(() => {});
  return () => done.abort();
};
