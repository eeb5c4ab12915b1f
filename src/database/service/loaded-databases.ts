import type { Remote } from '../../base/threads/rpc-port.ts';
import type { DatabaseSummary } from '../database-records.ts';
import type { FoundMessage, MessageRange } from '../database-store.ts';
import type { MessageReference } from '../find-message.ts';
import type { LoadRequest } from './database-loader.ts';
import type { PackedDatabase, ReloadedDatabase } from './packed-database.ts';

export type DatabaseRpc = {
  load(request: LoadRequest): DatabaseSummary;
  list(): readonly DatabaseSummary[];
  show(name: string, range: MessageRange): Uint8Array;
  message(
    name: string,
    reference: MessageReference,
    signals: readonly string[] | null,
  ): FoundMessage;
  unload(name: string): DatabaseSummary;
  reload(name: string, room: number | null): ReloadedDatabase;
  contents(name: string, room: number): PackedDatabase;
};

type Loader = Remote<Pick<DatabaseRpc, 'load' | 'list' | 'unload'>>;

interface RestoreOptions {
  /** False once another loader has replaced this one. */
  readonly isCurrent: () => boolean;
  readonly onLost: (request: LoadRequest, thrown: unknown) => void;
}

export class LoadedDatabases {
  readonly #requests = new Map<string, LoadRequest>();

  async load(loader: Loader, request: LoadRequest): Promise<DatabaseSummary> {
    const summary = await loader.load(request);
    this.#requests.set(summary.name, { ...request, name: summary.name });
    return summary;
  }

  async unload(loader: Loader, name: string): Promise<DatabaseSummary> {
    const summary = await loader.unload(name);
    this.#requests.delete(name);
    return summary;
  }

  /** A loader that outlived a client thread still has its databases; a new one has none. */
  async restore(loader: Loader, { isCurrent, onLost }: RestoreOptions): Promise<void> {
    const there = new Set<string>();
    for (const { name, file, type } of await loader.list().catch(() => [])) {
      there.add(name);
      this.#requests.set(name, { name, file, type });
    }
    for (const [name, request] of this.#requests) {
      if (there.has(name)) continue;
      await loader.load(request).catch((thrown: unknown) => {
        if (!isCurrent()) return;
        // This includes the file that crashed a loader: it would crash the next one too.
        this.#requests.delete(name);
        onLost(request, thrown);
      });
    }
  }
}
