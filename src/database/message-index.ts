import type { Database, Message } from './model.ts';

/** Finds the messages of a database; where two share an identifier or a name, the last one counts. */
export class MessageIndex {
  readonly #standard = new Map<number, Message>();
  readonly #extended = new Map<number, Message>();
  readonly #byName = new Map<string, Message>();

  constructor({ messages }: Pick<Database, 'messages'>) {
    for (const message of messages) {
      (message.extended ? this.#extended : this.#standard).set(message.id, message);
      this.#byName.set(message.name, message);
    }
  }

  byId(id: number, extended: boolean): Message | undefined {
    return (extended ? this.#extended : this.#standard).get(id);
  }

  byName(name: string): Message | undefined {
    return this.#byName.get(name);
  }
}
