import { deserialize } from 'node:v8';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { unknownName } from '../../base/suggest.ts';
import type { DatabaseBus } from '../database-name.ts';
import type { LinNetwork } from '../lin-model.ts';
import { type MessageHead, MessageIndex } from '../message-index.ts';
import type { Message } from '../model.ts';
import { type PackedDatabase, packedBytes } from './packed-database.ts';

/** Unpacked signals that are kept; frames of a hostile database must not fill the memory. */
const maxKept = 65_536;

/**
 * A database in the thread that decodes. A reload makes another one, so its users can keep what
 * they compiled from this one.
 */
export class AttachedDatabase {
  readonly name: string;
  readonly bus: DatabaseBus;
  readonly lin: LinNetwork | null;
  readonly heads: readonly MessageHead[];
  readonly bytes: number;
  readonly #packed: PackedDatabase;
  readonly #index: MessageIndex<MessageHead>;
  readonly #finder: (id: number, extended: boolean) => MessageHead | undefined;
  readonly #numbers: ReadonlyMap<MessageHead, number>;
  readonly #kept = new Map<MessageHead, Message>();
  #keptSignals = 0;

  constructor(packed: PackedDatabase) {
    this.name = packed.name;
    this.bus = packed.bus;
    this.lin = packed.lin;
    this.heads = packed.heads;
    this.bytes = packedBytes(packed);
    this.#packed = packed;
    const index = new MessageIndex({ messages: packed.heads });
    this.#index = index;
    this.#finder = (id, extended) => index.find(id, extended);
    this.#numbers = new Map(packed.heads.map((head, number) => [head, number]));
  }

  /** The message of a frame. */
  headOf(id: number, extended: boolean): MessageHead | undefined {
    return this.finder(id, extended);
  }

  /** `headOf`, as a function that does not keep the content in memory. */
  get finder(): (id: number, extended: boolean) => MessageHead | undefined {
    return this.#finder;
  }

  headNamed(name: string): MessageHead | undefined {
    return this.#index.byName(name);
  }

  /** The message with its signals, as its file describes it. */
  message(head: MessageHead): Message {
    const kept = this.#kept.get(head);
    if (kept !== undefined) return kept;
    const number = this.#numbers.get(head) ?? -1;
    const { ends, bytes } = this.#packed;
    const message: Message = deserialize(bytes.subarray(ends[number - 1] ?? 0, ends[number]));
    if (this.#keptSignals > maxKept) {
      this.#kept.clear();
      this.#keptSignals = 0;
    }
    this.#kept.set(head, message);
    this.#keptSignals += 1 + message.signals.length;
    return message;
  }

  messageNamed(name: string): Message | undefined {
    const head = this.headNamed(name);
    return head && this.message(head);
  }

  messageOf(id: number, extended: boolean): Message | undefined {
    const head = this.headOf(id, extended);
    return head && this.message(head);
  }
}

/** A message of an attached database. */
export interface AttachedMessage {
  readonly database: AttachedDatabase;
  readonly message: Message;
}

const namesIn = function* (databases: readonly AttachedDatabase[]): Generator<string> {
  for (const { heads } of databases) for (const { name } of heads) yield name;
};

/** All attached messages of a name, in the order of their databases. */
export const messagesNamed = (
  databases: readonly AttachedDatabase[],
  name: string,
): AttachedMessage[] =>
  databases.flatMap((database) => {
    const message = database.messageNamed(name);
    return message ? [{ database, message }] : [];
  });

/** The first attached database that has a message for a frame decides. */
export const messageOfFrame = (
  databases: readonly AttachedDatabase[],
  id: number,
  extended: boolean,
): AttachedMessage | undefined => {
  for (const database of databases) {
    const message = database.messageOf(id, extended);
    if (message) return { database, message };
  }
  return undefined;
};

export const messageNotFound = (
  databases: readonly AttachedDatabase[],
  message: string,
  channel: string,
): BusbarError => {
  const details = {
    field: 'message',
    channel,
    message,
    databases: databases.map(({ name }) => name),
  };
  if (databases.length === 0) {
    return new BusbarError('message_not_found', {
      message: `No database is attached to ${channel}, so ${message} is unknown`,
      details,
      hint: `busbar database attach <database> --channel=${channel} attaches one.`,
    });
  }
  return unknownName(
    'message_not_found',
    {
      message: `No database of ${channel} has a message ${message}`,
      details,
      hint: 'busbar database show <database> lists its messages.',
    },
    message,
    namesIn(databases),
  );
};
