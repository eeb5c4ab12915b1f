import type { MessagePort } from 'node:worker_threads';
import { Deferred } from '../../base/deferred.ts';
import type { FoundFile } from '../../base/files/file-download.ts';
import type { FileUpload } from '../../base/files/file-upload.ts';
import type { FilePart } from '../../base/files/file-uploads.ts';
import { type Port, type Remote, RpcPort } from '../../base/threads/rpc-port.ts';
import type { DatabaseSummary } from '../../database/database-records.ts';
import type { DatabaseSource } from '../../database/service/channel-databases.ts';
import type { LoadedFile, LoadRequest } from '../../database/service/database-loader.ts';
import { type DatabaseRpc, LoadedDatabases } from '../../database/service/loaded-databases.ts';
import type { PackedDatabase, ReloadedDatabase } from '../../database/service/packed-database.ts';
import type { TraceFileSummary } from '../../trace/trace-records.ts';
import { onLinked } from './thread-link.ts';

export type ReadingRpc = DatabaseRpc & {
  summarizeTrace(file: string): Promise<TraceFileSummary>;
  findProjectFile(file: string): FoundFile;
  putFile(part: FilePart): FileUpload;
  removeFile(file: string, version: string): void;
  readCheckFile(file: string): Uint8Array;
  loadedFiles(names: readonly string[]): readonly LoadedFile[];
};

interface LoaderLinkOptions {
  readonly port: Port;
  readonly onDefect: (thrown: unknown) => void;
  /** Called for a database that could not be reloaded. */
  readonly onLost: (request: LoadRequest, thrown: unknown) => void;
}

/** Link from the client thread to the loader. A new loader reloads its predecessor's databases. */
export class LoaderLink implements DatabaseSource {
  readonly #options: LoaderLinkOptions;
  readonly #databases = new LoadedDatabases();
  #ready = new Deferred<Remote<ReadingRpc>>();
  #isReady = false;
  #calls: RpcPort<ReadingRpc> | undefined;

  constructor(options: LoaderLinkOptions) {
    this.#options = options;
    onLinked(options.port, (link) => void this.#adopt(link));
  }

  get remote(): Promise<Remote<ReadingRpc>> {
    return this.#ready.promise;
  }

  async list(): Promise<readonly DatabaseSummary[]> {
    return (await this.remote).list();
  }

  async load(request: LoadRequest): Promise<DatabaseSummary> {
    return this.#databases.load(await this.remote, request);
  }

  async unload(name: string): Promise<DatabaseSummary> {
    return this.#databases.unload(await this.remote, name);
  }

  async reload(name: string, room: number | null): Promise<ReloadedDatabase> {
    return (await this.remote).reload(name, room);
  }

  async contents(name: string, room: number): Promise<PackedDatabase> {
    return (await this.remote).contents(name, room);
  }

  async #adopt(link: MessagePort): Promise<void> {
    this.#calls?.break();
    this.#wait();
    const calls = new RpcPort<ReadingRpc>(link, {}, this.#options.onDefect);
    this.#calls = calls;
    link.on('close', () => this.#lose(calls));
    await this.#databases.restore(calls.remote, {
      isCurrent: () => this.#calls === calls,
      onLost: this.#options.onLost,
    });
    if (this.#calls !== calls) return;
    this.#isReady = true;
    this.#ready.resolve(calls.remote);
  }

  #lose(calls: RpcPort<ReadingRpc>): void {
    calls.break();
    if (this.#calls === calls) this.#wait();
  }

  #wait(): void {
    if (this.#isReady) this.#ready = new Deferred();
    this.#isReady = false;
  }
}
