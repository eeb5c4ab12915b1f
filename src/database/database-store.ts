import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { unknownName } from '../base/suggest.ts';
import type {
  DatabasePage,
  DatabaseSummary,
  DatabaseType,
  Diagnostic,
} from './database-records.ts';
import { databaseNotFound, findMessage, type MessageReference } from './find-message.ts';
import { forDecoding, isDecodable, maxSignals, shortened, valuesOf } from './for-decoding.ts';
import { bareNetwork, linNetworkRecord } from './lin-records.ts';
import { MessageIndex, type ParameterGroup } from './message-index.ts';
import { jsonBytes, MessagePage } from './message-page.ts';
import type { Database, Message, Signal } from './model.ts';
import { readDatabase } from './read-database.ts';

export interface DatabaseSource {
  readonly name: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Absent: the name and the first bytes decide. */
  readonly type?: DatabaseType | undefined;
}

export interface MessageRange {
  readonly offset: number;
  readonly limit: number;
  readonly signalOffset?: number;
  readonly message?: MessageReference;
}

export interface PageQuery extends MessageRange {
  readonly maxBytes: number;
}

export interface OmittedSignal {
  readonly signal: string;
  readonly reason: string;
}

export interface FoundMessage {
  readonly message: Message;
  /** Matches frames by J1939 parameter group; null matches by identifier only. */
  readonly group: ParameterGroup | null;
  /** Signals to decode. The message can also contain the switches they depend on. */
  readonly signals: readonly string[];
  readonly omitted: readonly OmittedSignal[];
}

interface Entry {
  readonly summary: DatabaseSummary;
  readonly database: Database;
  readonly diagnostics: readonly Diagnostic[];
  readonly index: MessageIndex;
}

const maxNameLength = 256;

/** Total size of the files; the parsed databases use several times as much. */
const maxBytes = 256 * 1024 * 1024;

const signalsFor = (
  database: string,
  message: Message,
  names: readonly string[] | null,
): { wanted: readonly string[]; needed: readonly Signal[] } => {
  const { signals } = message;
  if (names === null) return { wanted: signals.map(({ name }) => name), needed: signals };
  const byName = new Map(signals.map((signal) => [signal.name, signal]));
  const needed = new Set<Signal>();
  for (const name of names) {
    let signal = byName.get(name);
    if (signal === undefined) {
      throw unknownName(
        'signal_not_found',
        {
          message: `${message.name} has no signal ${name}`,
          details: { field: 'signals', database, message: message.name, signal: name },
        },
        name,
        byName.keys(),
      );
    }
    while (signal !== undefined && !needed.has(signal)) {
      needed.add(signal);
      signal = byName.get(signal.multiplexing?.switch ?? '');
    }
  }
  return { wanted: names, needed: signals.filter((signal) => needed.has(signal)) };
};

const shownDiagnostics = 200;

const alreadyLoaded = ({ name, file }: DatabaseSummary): BusbarError =>
  new BusbarError('already_exists', {
    message: `Database ${name} is already loaded, from ${file}`,
    details: { field: 'name', name, file },
  });

export class DatabaseStore {
  readonly #limit: number;
  readonly #nowUs: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(limit: number, nowUs: () => number) {
    this.#limit = limit;
    this.#nowUs = nowUs;
  }

  /** Rejects a name in use before the file is read. */
  checkFree(name: string): void {
    const taken = this.#entries.get(name);
    if (taken) throw alreadyLoaded(taken.summary);
    if (this.#entries.size >= this.#limit) {
      throw new BusbarError('capacity_exceeded', {
        message: `At most ${this.#limit} databases can be loaded`,
        details: { limit: this.#limit },
      });
    }
  }

  load(source: DatabaseSource): DatabaseSummary {
    this.checkFree(source.name);
    this.#checkRoom(source.bytes.length);
    const entry = this.#read(source);
    this.#entries.set(source.name, entry);
    return entry.summary;
  }

  /**
   * Parses a loaded database again. It replaces the present one once `check` has accepted it.
   */
  reload(source: DatabaseSource, check: (database: Database) => void): DatabaseSummary {
    const { summary } = this.#get(source.name);
    this.#checkRoom(source.bytes.length - summary.size_bytes);
    const entry = this.#read({ ...source, type: summary.type });
    check(entry.database);
    this.#entries.set(source.name, entry);
    return entry.summary;
  }

  #read({ name, file, bytes, type: known }: DatabaseSource): Entry {
    const { type, database, diagnostics, encoding } = readDatabase(file, bytes, known);
    const { messages, nodes, version } = database;
    const summary: DatabaseSummary = {
      name,
      type,
      file,
      size_bytes: bytes.length,
      encoding,
      version: version === null ? null : shortened(version),
      messages: messages.length,
      signals: messages.reduce((sum, message) => sum + message.signals.length, 0),
      j1939_messages: messages.filter(({ pgn }) => pgn !== undefined).length,
      nodes: nodes.length,
      warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
      errors: diagnostics.filter(({ severity }) => severity === 'error').length,
      loaded_at_us: this.#nowUs(),
    };
    return { summary, database, diagnostics, index: new MessageIndex(database) };
  }

  #checkRoom(added: number): void {
    let held = added;
    for (const { summary } of this.#entries.values()) held += summary.size_bytes;
    if (held <= maxBytes) return;
    throw new BusbarError('capacity_exceeded', {
      message: `The files of all databases together must not exceed ${maxBytes} bytes`,
      details: { field: 'file', limit: maxBytes },
      retryable: added <= maxBytes,
    });
  }

  summaryOf(name: string): DatabaseSummary {
    return this.#get(name).summary;
  }

  find(name: string): Database | undefined {
    return this.#entries.get(name)?.database;
  }

  databaseOf(name: string): Database {
    return this.#get(name).database;
  }

  list(): readonly DatabaseSummary[] {
    return [...this.#entries.values()].map(({ summary }) => summary);
  }

  page(name: string, { signalOffset = 0, maxBytes, ...range }: PageQuery): DatabasePage {
    const { summary, database, diagnostics, index } = this.#get(name);
    const { message: only } = range;
    const offset =
      only === undefined ? range.offset : database.messages.indexOf(findMessage(name, index, only));
    const limit = only === undefined ? range.limit : 1;
    const shown = diagnostics.slice(0, shownDiagnostics);
    const network = linNetworkRecord(database);
    const lin =
      network !== null && jsonBytes(network) > maxBytes / 2 ? bareNetwork(network) : network;
    const page = new MessagePage(
      maxBytes - jsonBytes(summary) - jsonBytes(shown) - jsonBytes({ lin }),
    );
    const wanted = database.messages.slice(offset, offset + limit);
    wanted.every((message, place) => page.add(message, place === 0 ? signalOffset : 0));
    const { messages } = page;
    return {
      ...summary,
      lin,
      diagnostics: shown,
      message_total: database.messages.length,
      message_offset: offset,
      message_next_offset: Math.min(offset + messages.length, database.messages.length),
      message_page: messages,
    };
  }

  /**
   * Finds a message by name or identifier for decoding, with all or some of its signals.
   * Rejects a message that is too large.
   */
  message(
    name: string,
    reference: MessageReference,
    names: readonly string[] | null = null,
  ): FoundMessage {
    const { index } = this.#get(name);
    const message = findMessage(name, index, reference);
    const { wanted, needed } = signalsFor(name, message, names);
    if (!isDecodable(needed)) {
      const advice = `${message.name} is too large to decode completely: select signals`;
      throw invalidArgument('message', advice, {
        reason: 'too_large',
        signals: needed.length,
        values: valuesOf(needed),
        limit: maxSignals,
      });
    }
    const isSupported = (text: string): boolean => text.length <= maxNameLength;
    return {
      message: { ...forDecoding({ ...message, signals: needed }), senders: [] },
      group: index.groupOf(message),
      signals: wanted.filter(isSupported),
      omitted: wanted
        .filter((text) => !isSupported(text))
        .map((text) => ({
          signal: shortened(text),
          reason: `The name has more than ${maxNameLength} characters`,
        })),
    };
  }

  unload(name: string): DatabaseSummary {
    const { summary } = this.#get(name);
    this.#entries.delete(name);
    return summary;
  }

  #get(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    throw databaseNotFound(name, [...this.#entries.keys()]);
  }
}
