import type { MessagePort } from 'node:worker_threads';
import { Deferred } from '../../base/deferred.ts';
import { CallPort, type Port, type Remote } from '../../base/threads/call-port.ts';
import type { DatabaseSummary } from '../../database/database-shelf.ts';
import { onLinked } from '../threads/thread-link.ts';
import type { LoadRequest } from './database-loader.ts';
import type { ReadingOffer } from './thread-contracts.ts';

interface LoaderLinkOptions {
  readonly port: Port;
  readonly onDefect: (thrown: unknown) => void;
  /** Told which database could not be loaded again after the loader had died. */
  readonly onLost: (request: LoadRequest, thrown: unknown) => void;
}

/**
 * The client thread's way to the loader. When the loader dies, the next one is told to load again
 * what its predecessor had.
 */
export class LoaderLink {
  readonly #options: LoaderLinkOptions;
  readonly #loaded = new Map<string, LoadRequest>();
  #ready = new Deferred<Remote<ReadingOffer>>();
  #isReady = false;
  #calls: CallPort<ReadingOffer> | undefined;

  constructor(options: LoaderLinkOptions) {
    this.#options = options;
    onLinked(options.port, (link) => void this.#adopt(link));
  }

  /** The loader, as soon as there is one. */
  get remote(): Promise<Remote<ReadingOffer>> {
    return this.#ready.promise;
  }

  async load(request: LoadRequest): Promise<DatabaseSummary> {
    const summary = await (await this.remote).load(request);
    this.#loaded.set(summary.name, { file: request.file, name: summary.name });
    return summary;
  }

  async unload(name: string): Promise<DatabaseSummary> {
    const summary = await (await this.remote).unload(name);
    this.#loaded.delete(name);
    return summary;
  }

  async #adopt(link: MessagePort): Promise<void> {
    this.#calls?.break();
    this.#wait();
    const calls = new CallPort<ReadingOffer>(link, {}, this.#options.onDefect);
    this.#calls = calls;
    link.on('close', () => this.#lose(calls));
    await this.#restore(calls);
    if (this.#calls !== calls) return;
    this.#isReady = true;
    this.#ready.resolve(calls.remote);
  }

  #lose(calls: CallPort<ReadingOffer>): void {
    calls.break();
    if (this.#calls === calls) this.#wait();
  }

  /** Whoever asks from now on waits for the next loader, as do those who wait already. */
  #wait(): void {
    if (this.#isReady) this.#ready = new Deferred();
    this.#isReady = false;
  }

  /** A loader that outlived a client thread still has everything; a new one has nothing. */
  async #restore(calls: CallPort<ReadingOffer>): Promise<void> {
    const loader = calls.remote;
    const there = new Set<string>();
    for (const { name, file } of await loader.list().catch(() => [])) {
      there.add(name);
      this.#loaded.set(name, { name, file });
    }
    for (const [name, request] of this.#loaded) {
      if (there.has(name)) continue;
      await loader.load(request).catch((thrown: unknown) => {
        // Another loader has taken over, and is told of all of them itself.
        if (this.#calls !== calls) return;
        // This includes the file that a loader has died of: it would be the end of the next one.
        this.#loaded.delete(name);
        this.#options.onLost(request, thrown);
      });
    }
  }
}
