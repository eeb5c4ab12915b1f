import type { DatabaseBus } from '../database/database-name.ts';
import { forDecoding } from '../database/for-decoding.ts';
import type { MessageHead } from '../database/message-index.ts';
import type { Message } from '../database/model.ts';
import type { IsotpPair } from '../pdu/isotp/addressing.ts';
import { type Condition, termsOf } from './condition.ts';
import type { ConditionContext, ConditionDatabase, ProtectedMessage } from './condition-context.ts';

/** A database with the signals of the messages alone that conditions name. */
export interface SetupDatabase {
  readonly name: string;
  readonly bus: DatabaseBus;
  readonly heads: readonly MessageHead[];
  /** By their index in `heads`. */
  readonly messages: ReadonlyMap<number, Message>;
}

/** What the names in some conditions mean, as plain data that can cross threads. */
export interface ConditionSetup {
  readonly databases: readonly SetupDatabase[];
  /** Channels as keys (`channelKey`), with indexes of their databases. */
  readonly channels: readonly { readonly key: number; readonly databases: readonly number[] }[];
  /** Keys of the channels after `on`, or why a name has none. */
  readonly named: Readonly<Record<string, readonly number[] | string>>;
  /** By `instance/message`. */
  readonly guarded: Readonly<Record<string, ProtectedMessage | string>>;
  readonly pairs: readonly { readonly key: number; readonly pairs: readonly IsotpPair[] }[];
}

/** Names in conditions that have to be looked up. */
export interface ConditionNames {
  /** After `on`. */
  readonly channels: readonly string[];
  readonly messages: readonly string[];
  readonly guarded: readonly { readonly instance: string; readonly message: string }[];
}

export const guardedName = (instance: string, message: string): string => `${instance}/${message}`;

export const namesIn = (conditions: readonly Condition[]): ConditionNames => {
  const terms = conditions.flatMap(termsOf);
  const channels = terms.flatMap(({ on }) => (on === null ? [] : [on.channel]));
  const messages = terms.flatMap((term) => ('name' in term ? [term.name.message] : []));
  return {
    channels: [...new Set(channels)],
    messages: [...new Set(messages)],
    guarded: terms.flatMap((term) =>
      term.op === 'e2e_error' ? [{ instance: term.instance, message: term.message }] : [],
    ),
  };
};

export const setupDatabase = (
  database: ConditionDatabase,
  { messages }: Pick<ConditionNames, 'messages'>,
): SetupDatabase => {
  const { name, bus, heads } = database;
  const wanted = new Set(messages);
  const found = new Map<number, Message>();
  const plain = heads.map(({ name: own, id, extended, pgn }, index): MessageHead => {
    const head = heads[index] as MessageHead;
    if (wanted.has(own)) found.set(index, forDecoding(database.message(head)));
    return pgn === undefined ? { name: own, id, extended } : { name: own, id, extended, pgn };
  });
  return { name, bus, heads: plain, messages: found };
};

const opened = ({ name, bus, heads, messages }: SetupDatabase): ConditionDatabase => {
  const indexes = new Map(heads.map((head, index) => [head, index]));
  const empty = (head: MessageHead): Message => ({
    ...head,
    ...{ fd: false, brs: false, length: 0, senders: [], cycleTimeMs: null, signals: [] },
    ...{ comment: null, attributes: {} },
  });
  return {
    name,
    bus,
    heads,
    message: (head) => messages.get(indexes.get(head) ?? -1) ?? empty(head),
  };
};

/** In a setup, all channels that conditions may name are known. */
export const contextOf = (
  { databases, channels, named, guarded, pairs }: ConditionSetup,
  startUnixUs: number | null = null,
): ConditionContext => {
  const own = databases.map(opened);
  const byKey = new Map(channels.map((channel) => [channel.key, channel.databases]));
  return {
    databases: own,
    databasesOf: (key) => (byKey.get(key) ?? []).flatMap((index) => own[index] ?? []),
    isChannel: (selector, key) => {
      const keys = named[selector];
      return typeof keys === 'object' && keys.includes(key);
    },
    refuseChannel: (selector) => {
      const keys = named[selector];
      return typeof keys === 'object' ? null : (keys ?? `no channel ${selector}`);
    },
    protectedMessage: (instance, message) =>
      guarded[guardedName(instance, message)] ?? `no instance ${instance}`,
    pairsOf: (key) => pairs.find((entry) => entry.key === key)?.pairs ?? [],
    startUnixUs,
  };
};
