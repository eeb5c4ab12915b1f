import { type EventJsonChannel, eventJsonChannel } from './event-json.ts';

export class ChannelTexts {
  readonly #selectorOf: (slot: number) => string;
  readonly #texts = new Map<number, EventJsonChannel>();

  constructor(selectorOf: (slot: number) => string) {
    this.#selectorOf = selectorOf;
  }

  of(slot: number): EventJsonChannel {
    const known = this.#texts.get(slot);
    if (known) return known;
    const text = eventJsonChannel(this.#selectorOf(slot));
    this.#texts.set(slot, text);
    return text;
  }
}
