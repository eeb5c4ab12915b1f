import { samplesPath } from './followed.ts';
import { type LineReader, SharedLine } from './shared-line.ts';

const paths = {
  messages: () => '/api/v1/messages/stream',
  samples: samplesPath,
} as const;

/** One line for each stream that has readers, and for each token that lets them in. */
export class SharedLines {
  readonly #lines = new Map<string, SharedLine>();

  /** Starts a reader. Answers how it leaves. */
  join(stream: keyof typeof paths, token: string | null, reader: LineReader): () => void {
    const key = JSON.stringify([stream, token]);
    const line =
      this.#lines.get(key) ??
      new SharedLine({
        path: paths[stream],
        token,
        onEmpty: () => {
          if (this.#lines.get(key) === line) this.#lines.delete(key);
        },
      });
    this.#lines.set(key, line);
    line.join(reader);
    return () => line.leave(reader);
  }
}
