import type { Channel } from '../api/client.ts';

/** Time span in which a slot belongs to one channel. Every daemon numbers its slots from 0. */
export interface SlotSpan {
  readonly slot: number;
  readonly fromUs: number;
  readonly untilUs: number;
}

/** A channel that is or was open. A plain object, because it is posted to a worker. */
export interface SeenChannel extends SlotSpan {
  readonly labels: readonly string[];
  readonly number: number;
}

type Opened = Pick<Channel, 'slot' | 'selector' | 'name' | 'number' | 'opened_at_us'>;

/**
 * Frames can arrive before their channel is listed as open. Another daemon takes longer than
 * this to start.
 */
const earlyUs = 50_000;

const labelsOf = ({ selector, name }: Opened): readonly string[] =>
  name === null ? [selector] : [name, selector];

const spansOf = (opened: readonly Opened[]): readonly SeenChannel[] => {
  const starts = opened.map(({ opened_at_us }) => opened_at_us - earlyUs);
  return opened.map((channel, i) => ({
    slot: channel.slot,
    // Clocks can differ, and the first channel cannot be mistaken for an earlier one.
    fromUs: i === 0 ? Number.NEGATIVE_INFINITY : (starts[i] as number),
    untilUs: starts[i + 1] ?? Number.POSITIVE_INFINITY,
    labels: labelsOf(channel),
    number: channel.number,
  }));
};

export class SeenChannels {
  readonly #opened = new Map<number, readonly Opened[]>();
  #all: readonly SeenChannel[] = [];

  take(channels: readonly Opened[]): void {
    const news = channels.filter((channel) => !this.#isKnown(channel));
    for (const channel of news) {
      const all = [...this.#openedAt(channel.slot), channel];
      all.sort((a, b) => a.opened_at_us - b.opened_at_us);
      this.#opened.set(channel.slot, all);
    }
    if (news.length > 0) this.#all = [...this.#opened.values()].flatMap(spansOf);
  }

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

export class ChannelNames {
  readonly #bySlot: ReadonlyMap<number, readonly SeenChannel[]>;

  constructor(seen: readonly SeenChannel[]) {
    this.#bySlot = bySlot(seen);
  }

  /** Name or port of the channel that had the slot at that time; null if unknown. */
  nameOf(slot: number, us: number): string | null {
    return this.#channelOf(slot, us)?.labels[0] ?? null;
  }

  numberOf(slot: number, us: number): number | null {
    return this.#channelOf(slot, us)?.number ?? null;
  }

  #channelOf(slot: number, us: number): SeenChannel | undefined {
    return this.#bySlot.get(slot)?.find((span) => isWithin(span, us));
  }
}

export const spanTest = (spans: readonly SlotSpan[]) => {
  const found = bySlot(spans);
  return (slot: number, us: number): boolean => {
    const ofSlot = found.get(slot);
    if (ofSlot === undefined) return false;
    for (const span of ofSlot) if (isWithin(span, us)) return true;
    return false;
  };
};
