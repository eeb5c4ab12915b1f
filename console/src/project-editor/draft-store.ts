/** Unsaved text of a project, and the file that it started from. */
export interface Draft {
  readonly file: string;
  readonly base: string;
  readonly text: string;
  readonly savedAtMs: number;
}

export interface DraftStore {
  get(file: string): Promise<Draft | null>;
  put(draft: Draft): Promise<void>;
  remove(file: string): Promise<void>;
  files(): Promise<readonly string[]>;
}

const databaseName = 'busbar.editor';
const storeName = 'drafts';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Drafts in the database of the browser, where they survive the end of the window. */
export const browserDrafts = (): DraftStore => {
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(storeName, { keyPath: 'file' });
    return settled(request);
  };
  const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    opened ??= open();
    return (await opened).transaction(storeName, mode).objectStore(storeName);
  };
  return {
    get: async (file) => (await settled((await store('readonly')).get(file))) ?? null,
    put: async (draft) => void (await settled((await store('readwrite')).put(draft))),
    remove: async (file) => void (await settled((await store('readwrite')).delete(file))),
    files: async () =>
      (await settled((await store('readonly')).getAllKeys())).map((key) => String(key)),
  };
};

interface DraftEvents {
  readonly onWritten: (file: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Stores the latest draft of each file, one at a time. */
export class DraftWriter {
  readonly #store: DraftStore;
  readonly #events: DraftEvents;
  readonly #next = new Map<string, () => Promise<void>>();
  #isWriting = false;

  constructor(store: DraftStore, events: DraftEvents) {
    this.#store = store;
    this.#events = events;
  }

  /** The draft is read when it is its turn. */
  put(file: string, draft: () => Draft): void {
    this.#enqueue(file, () => this.#store.put(draft()));
  }

  remove(file: string): void {
    this.#enqueue(file, () => this.#store.remove(file));
  }

  /** Drops what is not written yet. */
  drop(file: string): void {
    this.#next.delete(file);
  }

  #enqueue(file: string, write: () => Promise<void>): void {
    this.#next.set(file, write);
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    for (const [file, write] of this.#next) {
      this.#next.delete(file);
      await write().then(() => this.#events.onWritten(file), this.#events.onError);
    }
    this.#isWriting = false;
  }
}
