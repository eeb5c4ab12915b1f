import { samplesPath } from './followed.ts';
import { SharedStream, type StreamReader } from './shared-stream.ts';

const paths = {
  messages: () => '/api/v1/messages/stream',
  samples: samplesPath,
} as const;

/** One connection for each stream that has readers, and for each token that lets them in. */
export class SharedStreams {
  readonly #streams = new Map<string, SharedStream>();

  /** Starts a reader. Answers how it leaves. */
  join(stream: keyof typeof paths, token: string | null, reader: StreamReader): () => void {
    const key = JSON.stringify([stream, token]);
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
