import type { Channel } from '../api/client.ts';

/** When frames with a slot are those of one channel. Slots begin anew with every daemon. */
export interface SlotSpan {
  readonly slot: number;
  readonly fromUs: number;
  /** From then on the slot is that of another channel. */
  readonly untilUs: number;
}

/** A channel that is open or was; a plain object, so that it can go to a worker. */
export interface SeenChannel extends SlotSpan {
  /** Its name, if it has one, and its port. */
  readonly labels: readonly string[];
  /** What the port is called in files. */
  readonly number: number;
}

type Opened = Pick<Channel, 'slot' | 'selector' | 'name' | 'number' | 'opened_at_us'>;

/**
 * The first frames may be heard before a channel is listed as open. Another daemon takes longer than
 * that to start.
 */
const earlyUs = 50_000;

const labelsOf = ({ selector, name }: Opened): readonly string[] =>
  name === null ? [selector] : [name, selector];

/** The channels that a slot has had, one after another. */
const spansOf = (opened: readonly Opened[]): readonly SeenChannel[] => {
  const starts = opened.map(({ opened_at_us }) => opened_at_us - earlyUs);
  return opened.map((channel, i) => ({
    slot: channel.slot,
    // Clocks may differ a little, and before the first there was none to be mistaken for.
    fromUs: i === 0 ? Number.NEGATIVE_INFINITY : (starts[i] as number),
    untilUs: starts[i + 1] ?? Number.POSITIVE_INFINITY,
    labels: labelsOf(channel),
    number: channel.number,
  }));
};

/** All channels that there were, for as long as their frames may be shown. */
export class SeenChannels {
  readonly #opened = new Map<number, readonly Opened[]>();
  #all: readonly SeenChannel[] = [];

  /** Takes note of the channels that are open now. */
  take(channels: readonly Opened[]): void {
    const news = channels.filter((channel) => !this.#isKnown(channel));
    for (const channel of news) {
      const all = [...this.#openedAt(channel.slot), channel];
      all.sort((a, b) => a.opened_at_us - b.opened_at_us);
      this.#opened.set(channel.slot, all);
    }
    if (news.length > 0) this.#all = [...this.#opened.values()].flatMap(spansOf);
  }

  /** The same list until there is another channel. */
  get all(): readonly SeenChannel[] {
    return this.#all;
  }

  #openedAt(slot: number): readonly Opened[] {
    return this.#opened.get(slot) ?? [];
  }

  #isKnown({ slot, opened_at_us }: Opened): boolean {
    return this.#openedAt(slot).some((known) => known.opened_at_us === opened_at_us);
  }
}

const isWithin = ({ fromUs, untilUs }: SlotSpan, us: number): boolean =>
  us >= fromUs && us < untilUs;

const bySlot = <Span extends SlotSpan>(spans: readonly Span[]): ReadonlyMap<number, Span[]> => {
  const found = new Map<number, Span[]>();
  for (const span of spans) found.set(span.slot, [...(found.get(span.slot) ?? []), span]);
  return found;
};

/** The names of channels, as frames of any daemon know them. */
export class ChannelNames {
  readonly #bySlot: ReadonlyMap<number, readonly SeenChannel[]>;

  constructor(seen: readonly SeenChannel[]) {
    this.#bySlot = bySlot(seen);
  }

  /** What the channel is called that had the slot then: its name, else its port; null if none had. */
  nameOf(slot: number, us: number): string | null {
    return this.#channelOf(slot, us)?.labels[0] ?? null;
  }

  /** What files call that channel: its number is that of the port; null if there was none. */
  numberOf(slot: number, us: number): number | null {
    return this.#channelOf(slot, us)?.number ?? null;
  }

  #channelOf(slot: number, us: number): SeenChannel | undefined {
    return this.#bySlot.get(slot)?.find((span) => isWithin(span, us));
  }
}

/** Whether a frame with that slot and time is in one of the spans. */
export const spanTest = (spans: readonly SlotSpan[]) => {
  const found = bySlot(spans);
  return (slot: number, us: number): boolean => {
    const ofSlot = found.get(slot);
    if (ofSlot === undefined) return false;
    for (const span of ofSlot) if (isWithin(span, us)) return true;
    return false;
  };
};
