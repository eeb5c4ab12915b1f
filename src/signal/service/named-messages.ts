import { BusbarError, withField } from '../../base/errors/busbar-error.ts';
import type { Message } from '../../database/model.ts';
import {
  type AttachedDatabase,
  messageNotFound,
  messagesNamed,
} from '../../database/service/attached-database.ts';
import { MessageEncoder } from '../encode/message-encoder.ts';

export interface MessageChoice {
  readonly channel: string;
  readonly message: string;
  readonly database?: string | undefined;
}

export interface NamedMessage {
  readonly database: string;
  readonly isLin: boolean;
  /** Sent by slaves of a LIN network: its master can only read it. */
  readonly isRead: boolean;
  readonly encoder: MessageEncoder;
}

export interface NamedMessagesOptions<Caller> {
  readonly slotOf: (channel: string, caller: Caller) => Promise<number>;
  /** Databases attached to a channel, in order. */
  readonly attachedTo: (slot: number) => readonly AttachedDatabase[];
  /** Content of a loaded database that is not attached. */
  readonly contents: (name: string) => Promise<AttachedDatabase>;
}

const ambiguous = ({ channel, message }: MessageChoice, databases: readonly string[]) =>
  new BusbarError('ambiguous_message', {
    message: `${message} is in ${databases.join(' and in ')}, which are attached to ${channel}`,
    details: { field: 'database', channel, message, databases },
  });

/** Finds messages that senders name, and keeps their encoders while their database is loaded. */
export class NamedMessages<Caller> {
  readonly #options: NamedMessagesOptions<Caller>;
  readonly #encoders = new WeakMap<Message, MessageEncoder>();

  constructor(options: NamedMessagesOptions<Caller>) {
    this.#options = options;
  }

  async find(choice: MessageChoice, caller: Caller): Promise<NamedMessage> {
    const databases = await this.#databasesFor(choice, caller);
    const found = messagesNamed(databases, choice.message);
    const [first] = found;
    if (first === undefined) throw messageNotFound(databases, choice.message, choice.channel);
    if (found.length > 1) {
      throw ambiguous(
        choice,
        found.map(({ database }) => database.name),
      );
    }
    return this.named(first.database, first.message);
  }

  /** Databases of a channel, in order. */
  async attached(channel: string, caller: Caller): Promise<readonly AttachedDatabase[]> {
    const { slotOf, attachedTo } = this.#options;
    return attachedTo(await slotOf(channel, caller));
  }

  /** The database itself, attached or not. */
  async database(name: string, channel: string, caller: Caller): Promise<AttachedDatabase> {
    const { slotOf, attachedTo, contents } = this.#options;
    const attached = attachedTo(await slotOf(channel, caller));
    const found = attached.find((database) => database.name === name);
    if (found !== undefined) return found;
    return contents(name).catch((thrown: unknown) => {
      throw withField('database', thrown);
    });
  }

  named({ name, bus, lin }: AttachedDatabase, message: Message): NamedMessage {
    const isLin = bus === 'lin';
    const isRead = message.lin !== undefined && message.lin.publisher !== (lin?.master ?? null);
    return { database: name, isLin, isRead, encoder: this.#encoderOf(message, isLin) };
  }

  async #databasesFor(choice: MessageChoice, caller: Caller): Promise<readonly AttachedDatabase[]> {
    const { slotOf, attachedTo } = this.#options;
    const { channel, database } = choice;
    if (database !== undefined) return [await this.database(database, channel, caller)];
    return attachedTo(await slotOf(channel, caller));
  }

  #encoderOf(message: Message, isLin: boolean): MessageEncoder {
    const known = this.#encoders.get(message);
    if (known) return known;
    const encoder = new MessageEncoder(message, { isLin });
    this.#encoders.set(message, encoder);
    return encoder;
  }
}
