import type { DatabaseBus } from '../database/database-name.ts';
import type { MessageHead } from '../database/message-index.ts';
import type { Database, Message } from '../database/model.ts';
import type { E2eSettings } from '../e2e/codec-fields.ts';
import type { IsotpPair } from '../pdu/isotp/addressing.ts';
import type { SignalReader } from './signal-test.ts';

/** A database whose messages may be read when they are needed; an attached one has this form. */
export interface ConditionDatabase {
  readonly name: string;
  readonly bus: DatabaseBus;
  readonly heads: readonly MessageHead[];
  message(head: MessageHead): Message;
}

/** A protected message of a gateway. Plain data, which can cross threads. */
export interface ProtectedMessage {
  /** Keys of its channels (`channelKey`). */
  readonly channels: readonly number[];
  readonly id: number;
  readonly extended: boolean;
  /** First protected byte of the frame, and the number of bytes. */
  readonly start: number;
  readonly length: number;
  readonly codec: E2eSettings;
}

/** What the names in a condition mean. Channels are keys (`channelKey`). */
export interface ConditionContext {
  /** All databases, in which names are looked up before there are events. */
  readonly databases: readonly ConditionDatabase[];
  /** Databases of a channel; the first one with a message for a frame decides. */
  databasesOf(key: number): readonly ConditionDatabase[];
  /** Whether a channel has this name. */
  isChannel(selector: string, key: number): boolean;
  /** Whether terms without `on` watch a channel. Omitted where they watch all. */
  isWatched?(key: number): boolean;
  /** Why a name is of no channel, or null. Omitted where channels are known only from events. */
  readonly refuseChannel?: (selector: string) => string | null;
  /** A protected message, or why it cannot be checked. Without it none can. */
  readonly protectedMessage?: (instance: string, message: string) => ProtectedMessage | string;
  /** ISO-TP addresses that are known besides those of the standards. */
  readonly pairsOf?: (key: number) => readonly IsotpPair[];
  /** Decodes a signal of a message, by its index, where no code may be generated. */
  readonly newReader?: (message: Message, index: number) => SignalReader;
  /** Unix time of the events' time 0, if it is known. */
  readonly startUnixUs?: number | null;
}

export const databaseForConditions = (
  name: string,
  { format, messages }: Pick<Database, 'format' | 'messages'>,
): ConditionDatabase => ({
  name,
  bus: format === 'ldf' ? 'lin' : 'can',
  heads: messages,
  message: (head) => head as Message,
});
