import { ApiError } from '../api/api-error.ts';
import { samplesPath } from './followed.ts';
import { SharedStream, type StreamReader } from './shared-stream.ts';

/**
 * A browser has six connections per service. Streams use four at most, which leaves one for a
 * long request and one for all others.
 */
export const maxStreams = 4;
export const maxSlots = 3;
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

export class SharedStreams {
  readonly #streams = new Map<string, SharedStream>();
  readonly #hasRoom: () => boolean;

  /** Connections are opened only while room is available. */
  constructor(hasRoom: () => boolean = () => true) {
    this.#hasRoom = hasRoom;
  }

  get size(): number {
    return this.#streams.size;
  }

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
