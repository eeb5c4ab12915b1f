import { openText } from './api.js';
import { SseParser } from './sse-parser.js';

const retryMs = { first: 250, most: 5000 };
const answerMs = 5000;
/** The service gives a sign of life every 15 s; after two that did not come, the line is dead. */
const silenceMs = 40_000;

const timeout = () => new DOMException('', 'TimeoutError');

/**
 * Follows one stream of server-sent events and goes on behind the last event after any break. Has
 * its own connection and cursor. `state` is one of
 *
 * - `paused`: not wanted, as at the beginning
 * - `connecting`, `live`
 * - `reconnecting`: broken, for the reason in `error` unless the service closed it in good order
 * - `token`, `ended`: refused, for the reason in `error`; only `start` tries again
 */
export class EventStream {
  #path;
  #onEvent;
  #onState;
  #prepare;
  #run = null;
  state = 'paused';
  error = null;
  /** Id of the last event that the listener has had. */
  lastId = null;

  /**
   * `onEvent(type, data, id)` is called while `lastId` is still that of the event before. `prepare`
   * is awaited before every connection; an ApiError that it throws counts as a break.
   */
  constructor(path, { onEvent, onState, prepare = async () => {} }) {
    this.#path = path;
    this.#onEvent = onEvent;
    this.#onState = onState;
    this.#prepare = prepare;
  }

  start() {
    this.#run?.abort();
    this.#run = new AbortController();
    this.#become('connecting');
    this.#follow(this.#run.signal);
  }

  stop() {
    this.#run?.abort();
    this.#run = null;
    this.#become('paused');
  }

  /** Goes on live at the next connection: the ids so far mean nothing any more. */
  forget() {
    this.lastId = null;
  }

  #become(state, error = null) {
    this.state = state;
    this.error = error;
    this.#onState(this);
  }

  async #follow(stopped) {
    let delayMs = retryMs.first;
    const onLive = () => {
      delayMs = retryMs.first;
      this.#become('live');
    };
    for (;;) {
      const error = await this.#read(stopped, onLive);
      if (stopped.aborted) return;
      if (error?.isUnauthorized) return this.#become('token', error);
      if (error?.isFinal) return this.#become('ended', error);
      this.#become('reconnecting', error);
      await pause(delayMs, stopped);
      if (stopped.aborted) return;
      delayMs = Math.min(2 * delayMs, retryMs.most);
    }
  }

  /** One connection, to its end. Answers why it broke; null if the service closed it. */
  async #read(stopped, onLive) {
    const dead = new AbortController();
    const signal = AbortSignal.any([stopped, dead.signal]);
    let timer;
    const parser = new SseParser((type, data, id) => {
      // What was under way when the stream was stopped is fetched again when it goes on.
      if (stopped.aborted) return;
      this.#onEvent(type, data, id);
      if (id !== null) this.lastId = id;
    });
    try {
      await this.#prepare();
      timer = setTimeout(() => dead.abort(timeout()), answerMs);
      const headers = this.lastId === null ? {} : { 'last-event-id': this.lastId };
      const pieces = await openText(this.#path, { headers, signal });
      if (!stopped.aborted) onLive();
      for await (const piece of pieces) {
        clearTimeout(timer);
        timer = setTimeout(() => dead.abort(timeout()), silenceMs);
        parser.push(piece);
      }
      return null;
    } catch (error) {
      return error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const pause = (ms, stopped) =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
