import { nearestName } from '../base/suggest.ts';
import type { DatabaseIndexes, FoundMessage } from '../condition/channel-watches.ts';
import type { SignalName } from '../condition/condition.ts';
import type { ConditionContext, ConditionDatabase } from '../condition/condition-context.ts';
import { conditionError } from '../condition/scanner.ts';
import type { Message } from '../database/model.ts';
import { readId } from '../frame/id-pattern.ts';
import { decodableSignals } from '../signal/decodable-signals.ts';
import type { MessageName } from './check.ts';

/** Frames that a name or an identifier stands for. */
export interface NamedFrames {
  /** Whether frames with an identifier, of a message or of none, belong to it on a channel. */
  includes(
    databases: readonly ConditionDatabase[],
    found: FoundMessage | null,
    id: number,
    extended: boolean,
  ): boolean;
}

/** Looks up names of checks. A name takes precedence over an identifier with the same text. */
export class MessageNames {
  readonly #context: ConditionContext;
  readonly #indexes: DatabaseIndexes;

  constructor(context: ConditionContext, indexes: DatabaseIndexes) {
    this.#context = context;
    this.#indexes = indexes;
  }

  framesOf({ text, at }: MessageName, field: string): NamedFrames {
    const { databases } = this.#context;
    if (databases.some((database) => this.#indexes.of(database).byName(text) !== undefined)) {
      return { includes: (own, found) => found !== null && this.#isNamed(own, found, text) };
    }
    const read = readId(text);
    if (!('reason' in read)) {
      if (read.extended === null) {
        return this.#refuse(field, at, 'an identifier', `${text} is ambiguous: use 3 or 8 digits`);
      }
      return {
        includes: (_own, _found, id, extended) => id === read.value && extended === read.extended,
      };
    }
    const names = databases.flatMap(({ heads }) => heads.map(({ name }) => name));
    const near = nearestName(text, names);
    const reason = databases.length === 0 ? 'there is no database' : `no message ${text}`;
    const advice = near === null ? '' : `; did you mean ${near}?`;
    return this.#refuse(field, at, 'a message or an identifier', `${reason}${advice}`);
  }

  /** Refuses a signal that no message of that name has. */
  signalsOf(name: SignalName, field: string): NamedFrames {
    const { message, signal, at } = name;
    const frames = this.framesOf({ text: message, at }, field);
    const messages = this.#messagesOf(message);
    if (messages.some((one) => signalIndex(one, signal) >= 0)) return frames;
    const place = at + message.length + 1;
    const names = messages.flatMap(({ signals }) => signals.map((one) => one.name));
    const near = nearestName(signal, names);
    const advice = near === null ? '' : `; did you mean ${near}?`;
    const reason =
      messages.length === 0
        ? `no database has ${message}`
        : `no signal ${signal} that can be decoded${advice}`;
    return this.#refuse(field, place, `a signal of ${message}`, reason);
  }

  /** Whether payloads of a message can be longer than a frame, as those of parameter groups. */
  hasGroup(name: string): boolean {
    return this.#messagesOf(name).some(({ pgn }) => pgn !== undefined);
  }

  #messagesOf(text: string): Message[] {
    const { databases } = this.#context;
    const named = databases.flatMap((database) => {
      const head = this.#indexes.of(database).byName(text);
      return head === undefined ? [] : [database.message(head)];
    });
    if (named.length > 0) return named;
    const read = readId(text);
    if ('reason' in read || read.extended === null) return [];
    const found = this.#indexes.find(databases, read.value, read.extended);
    return found === null ? [] : [found.database.message(found.head)];
  }

  /** The first database of a channel that has the name decides. */
  #isNamed(own: readonly ConditionDatabase[], found: FoundMessage, text: string): boolean {
    if (found.head.name !== text) return false;
    const first = own.find((database) => this.#indexes.of(database).byName(text) !== undefined);
    return first === found.database;
  }

  #refuse(field: string, offset: number, expected: string, reason: string): never {
    const message = `expected ${expected} at offset ${offset}: ${reason}`;
    throw conditionError(field, offset, expected, message);
  }
}

/** Index of a signal that can be decoded, or -1. */
export const signalIndex = (message: Message, signal: string): number => {
  const index = message.signals.findIndex(({ name }) => name === signal);
  if (index < 0 || decodableSignals(message, [signal]).omitted.length > 0) return -1;
  return index;
};
