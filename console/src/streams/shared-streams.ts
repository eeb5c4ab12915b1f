import { ApiError } from '../api/api-error.ts';
import { samplesPath } from './followed.ts';
import { SharedStream, type StreamReader } from './shared-stream.ts';

/**
 * A browser has six connections for a service. Streams have four of them at the most, so that there is
 * always one for a request that takes long, and one for everything else.
 */
export const maxStreams = 4;
/** Requests that take long have so many at the most, */
export const maxSlots = 3;
/** and so many together with streams. */
export const maxAccepted = 5;

export const tooManyStreams = (): ApiError =>
  new ApiError({
    code: 'too_many_streams',
    message: `This browser already has ${maxStreams} streams open`,
  });

const paths = {
  messages: () => '/api/v1/messages/stream',
  samples: samplesPath,
} as const;

/** One connection for each stream that has readers, and for each token that lets them in. */
export class SharedStreams {
  readonly #streams = new Map<string, SharedStream>();
  readonly #hasRoom: () => boolean;

  /** Connections are opened only while there is room for one more. */
  constructor(hasRoom: () => boolean = () => true) {
    this.#hasRoom = hasRoom;
  }

  /** How many connections there are. */
  get size(): number {
    return this.#streams.size;
  }

  /** Starts a reader. Answers how it leaves. */
  join(stream: keyof typeof paths, token: string | null, reader: StreamReader): () => void {
    const key = JSON.stringify([stream, token]);
    if (!this.#streams.has(key) && !this.#hasRoom()) {
      reader.onEnd(tooManyStreams());
      return () => {};
    }
    const shared =
      this.#streams.get(key) ??
      new SharedStream({
        path: paths[stream],
        token,
        onEmpty: () => {
          if (this.#streams.get(key) === shared) this.#streams.delete(key);
        },
      });
    this.#streams.set(key, shared);
    shared.join(reader);
    return () => shared.leave(reader);
  }
}
