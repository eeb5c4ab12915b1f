import { BusbarError } from '../../base/errors/busbar-error.ts';
import { Mutex } from '../../base/mutex.ts';
import {
  type DatabaseBus,
  type DatabaseName,
  maxDatabaseName,
  notOnBus,
} from '../database-name.ts';
import type { DatabaseSummary } from '../database-records.ts';
import { linFacts } from '../lin-facts.ts';
import { AttachedDatabase } from './attached-database.ts';
import type { LoadRequest } from './database-loader.ts';
import { maxAttachedBytes, type PackedDatabase, type ReloadedDatabase } from './packed-database.ts';

export interface OpenedChannel {
  readonly slot: number;
  readonly selector: string;
  readonly bus: DatabaseBus;
}

interface FileWarning {
  readonly code: 'database_not_attached';
  readonly message: string;
}

export interface FileAttachments {
  readonly databases: readonly DatabaseName[];
  readonly warnings: readonly FileWarning[];
}

export interface AttachedChannel {
  readonly slot: number;
  readonly databases: readonly string[];
}

/** The bench thread keeps the names, because channels outlive this thread. */
export interface ChannelNames<Channel extends AttachedChannel, Caller> {
  attach(selector: string, database: DatabaseName, caller: Caller): Promise<Channel>;
  detach(selector: string, name: string, caller: Caller): Promise<Channel>;
  /** The content of an attached database changed. */
  describe(database: DatabaseName): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface DatabaseSource {
  list(): Promise<readonly DatabaseSummary[]>;
  load(request: LoadRequest): Promise<DatabaseSummary>;
  unload(name: string): Promise<DatabaseSummary>;
  /** The content is packed if there is room for it; null asks for none. */
  reload(name: string, room: number | null): Promise<ReloadedDatabase>;
  contents(name: string, room: number): Promise<PackedDatabase>;
}

interface ChannelDatabasesOptions<Channel extends AttachedChannel, Caller> {
  readonly source: DatabaseSource;
  readonly channels: ChannelNames<Channel, Caller>;
}

/** Name of a database whose file has the name of another one: `left_car.dbc`. */
const nameOfPath = (file: string): string =>
  file.replaceAll(/[\s\p{Cc}/\\]+/gu, '_').slice(-maxDatabaseName);

const none: readonly AttachedDatabase[] = [];

const nameOf = ({ name, bus, lin }: AttachedDatabase): DatabaseName => ({
  name,
  bus,
  lin: linFacts(lin),
});

/**
 * Databases attached to channels, in the thread that decodes. Changes are made one after
 * another.
 */
export class ChannelDatabases<Channel extends AttachedChannel, Caller> {
  readonly #options: ChannelDatabasesOptions<Channel, Caller>;
  readonly #contents = new Map<string, AttachedDatabase>();
  readonly #names = new Map<number, readonly string[]>();
  readonly #attached = new Map<number, readonly AttachedDatabase[]>();
  readonly #changes = new Mutex();
  /** Increases with every change, so that readers notice it without comparing lists. */
  #version = 0;

  constructor(options: ChannelDatabasesOptions<Channel, Caller>) {
    this.#options = options;
  }

  get version(): number {
    return this.#version;
  }

  /** The databases of a channel, in the order in which a frame looks for its message. */
  of(slot: number): readonly AttachedDatabase[] {
    return this.#attached.get(slot) ?? none;
  }

  attach(selector: string, name: string, caller: Caller): Promise<Channel> {
    return this.#changes.take(async () => {
      const database = await this.#contentOf(name);
      try {
        return this.#adopt(await this.#options.channels.attach(selector, nameOf(database), caller));
      } finally {
        this.#dropUnused();
      }
    });
  }

  /** Loads files that are not loaded yet. A fault in one is a warning. */
  attachFiles(channel: OpenedChannel, files: readonly string[]): Promise<FileAttachments> {
    return this.#changes.take(async () => {
      const databases: DatabaseName[] = [];
      const warnings: FileWarning[] = [];
      for (const file of files) {
        try {
          const name = await this.#loadedFrom(file);
          const database = nameOf(await this.#contentOf(name));
          if (database.bus !== channel.bus) throw notOnBus(database, channel.selector);
          databases.push(database);
        } catch (thrown) {
          const { message } = BusbarError.from(thrown);
          warnings.push({ code: 'database_not_attached', message: `${file}: ${message}` });
        }
      }
      this.#adopt({ slot: channel.slot, databases: databases.map(({ name }) => name) });
      return { databases, warnings };
    });
  }

  detach(selector: string, name: string, caller: Caller): Promise<Channel> {
    return this.#changes.take(async () =>
      this.#adopt(await this.#options.channels.detach(selector, name, caller)),
    );
  }

  load(request: LoadRequest): Promise<DatabaseSummary> {
    return this.#options.source.load(request);
  }

  unload(name: string): Promise<DatabaseSummary> {
    return this.#changes.take(async () => {
      const summary = await this.#options.source.unload(name);
      await this.#forget(name);
      return summary;
    });
  }

  /** A file that cannot be read leaves everything as it was. */
  reload(name: string): Promise<DatabaseSummary> {
    return this.#changes.take(async () => {
      const held = this.#contents.get(name);
      const room = held ? this.#room + held.bytes : null;
      const { summary, packed } = await this.#options.source.reload(name, room);
      if (packed) await this.#replace(packed);
      return summary;
    });
  }

  /** A database that a new loader could not load again is gone. */
  lost(name: string): Promise<void> {
    return this.#changes.take(() => this.#forget(name));
  }

  /** Continues with the attachments of the thread before this one. */
  restore(channels: readonly AttachedChannel[]): Promise<void> {
    return this.#changes.take(async () => {
      for (const { slot, databases } of channels) {
        for (const name of databases) {
          if (!this.#contents.has(name)) await this.#contentOf(name).catch(() => undefined);
        }
        if (!this.#names.has(slot)) this.#names.set(slot, databases);
      }
      this.#resolve();
    });
  }

  closed(slot: number): void {
    if (!this.#names.delete(slot)) return;
    this.#resolve();
  }

  /** A loaded database, attached or not; its user keeps what it needs of it. */
  async content(name: string): Promise<AttachedDatabase> {
    const known = this.#contents.get(name);
    return known ?? new AttachedDatabase(await this.#options.source.contents(name, this.#room));
  }

  get #room(): number {
    let room = maxAttachedBytes;
    for (const { bytes } of this.#contents.values()) room -= bytes;
    return room;
  }

  async #contentOf(name: string): Promise<AttachedDatabase> {
    const known = this.#contents.get(name);
    if (known) return known;
    const database = new AttachedDatabase(await this.#options.source.contents(name, this.#room));
    this.#contents.set(name, database);
    return database;
  }

  async #loadedFrom(file: string): Promise<string> {
    const { source } = this.#options;
    const known = (await source.list()).find((summary) => summary.file === file);
    if (known) return known.name;
    try {
      return (await source.load({ file })).name;
    } catch (thrown) {
      if (BusbarError.from(thrown).code !== 'already_exists') throw thrown;
      return (await source.load({ file, name: nameOfPath(file) })).name;
    }
  }

  #adopt<Adopted extends AttachedChannel>(channel: Adopted): Adopted {
    this.#names.set(channel.slot, channel.databases);
    this.#resolve();
    return channel;
  }

  async #replace(packed: PackedDatabase): Promise<void> {
    const database = new AttachedDatabase(packed);
    this.#contents.set(packed.name, database);
    this.#resolve();
    await this.#options.channels.describe(nameOf(database));
  }

  async #forget(name: string): Promise<void> {
    await this.#options.channels.forget(name);
    for (const [slot, names] of this.#names) {
      this.#names.set(
        slot,
        names.filter((other) => other !== name),
      );
    }
    this.#resolve();
  }

  #resolve(): void {
    this.#version++;
    this.#attached.clear();
    for (const [slot, names] of this.#names) {
      const databases = names.flatMap((name) => this.#contents.get(name) ?? []);
      if (databases.length > 0) this.#attached.set(slot, databases);
    }
    this.#dropUnused();
  }

  #dropUnused(): void {
    const used = new Set([...this.#names.values()].flat());
    for (const name of this.#contents.keys()) if (!used.has(name)) this.#contents.delete(name);
  }
}
