import type { Remote } from '../../base/threads/call-port.ts';
import type { DatabaseSummary } from '../database-records.ts';
import type { FoundMessage, MessageRange } from '../database-shelf.ts';
import type { MessageReference } from '../find-message.ts';
import type { LoadRequest } from './database-loader.ts';

/** What a thread that reads databases does for another one. */
export type DatabaseOffer = {
  load(request: LoadRequest): DatabaseSummary;
  list(): readonly DatabaseSummary[];
  /** A page of a database as JSON. */
  show(name: string, range: MessageRange): Uint8Array;
  /** A message with all of its signals, or with those named. */
  message(
    name: string,
    reference: MessageReference,
    signals: readonly string[] | null,
  ): FoundMessage;
  unload(name: string): DatabaseSummary;
};

type Loader = Remote<Pick<DatabaseOffer, 'load' | 'list' | 'unload'>>;

interface RestoreOptions {
  /** False once another loader has taken over. */
  readonly isCurrent: () => boolean;
  /** Told which database could not be loaded again. */
  readonly onLost: (request: LoadRequest, thrown: unknown) => void;
}

/** What the loader has loaded, so that the next one can be told to load it again. */
export class LoadedDatabases {
  readonly #requests = new Map<string, LoadRequest>();

  async load(loader: Loader, request: LoadRequest): Promise<DatabaseSummary> {
    const summary = await loader.load(request);
    this.#requests.set(summary.name, { file: request.file, name: summary.name });
    return summary;
  }

  async unload(loader: Loader, name: string): Promise<DatabaseSummary> {
    const summary = await loader.unload(name);
    this.#requests.delete(name);
    return summary;
  }

  /** A loader that outlived a client thread still has everything; a new one has nothing. */
  async restore(loader: Loader, { isCurrent, onLost }: RestoreOptions): Promise<void> {
    const there = new Set<string>();
    for (const { name, file } of await loader.list().catch(() => [])) {
      there.add(name);
      this.#requests.set(name, { name, file });
    }
    for (const [name, request] of this.#requests) {
      if (there.has(name)) continue;
      await loader.load(request).catch((thrown: unknown) => {
        // Another loader has taken over, and is told of all of them itself.
        if (!isCurrent()) return;
        // This includes the file that a loader has died of: it would be the end of the next one.
        this.#requests.delete(name);
        onLost(request, thrown);
      });
    }
  }
}
