import { busCode, eventKindCode, frameFlag } from '../frame/frm2-layout.ts';
import { channelKeyAt, channelOfKey } from './channel-key.ts';
import { errorFramesAt } from './error-frames.ts';
import { TraceBatch } from './trace-batch.ts';
import type { TraceReader } from './trace-format.ts';
import type { ChannelSummary, TraceSummary } from './trace-records.ts';

const pageBits = 16;

const bitsOfPage = 2 ** pageBits;

const extendedIds = 2 ** 29;

const standardIds = 2 ** 11;

/** Identifiers seen, as bits in pages allocated on demand: at most 64 MiB. */
export class IdentifierSet {
  readonly #pages = new Map<number, Uint32Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** 11-bit, 29-bit and LIN identifiers are distinct. */
  add(bus: number, flags: number, id: number): void {
    const isLin = bus === busCode.lin;
    const isExtended = (flags & frameFlag.extended) !== 0;
    const base = isLin ? extendedIds + standardIds : extendedIds;
    const key = isExtended ? id : base + id;
    const page = this.#page(Math.floor(key / bitsOfPage));
    const bit = key % bitsOfPage;
    const word = page[bit >>> 5] as number;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return;
    page[bit >>> 5] = word | mask;
    this.#size++;
  }

  #page(number: number): Uint32Array {
    const known = this.#pages.get(number);
    if (known) return known;
    const page = new Uint32Array(bitsOfPage / 32);
    this.#pages.set(number, page);
    return page;
  }
}

/**
 * Called after every batch with the current position. Its promise is awaited; an error aborts
 * the work.
 */
export type TraceProgress = (position: number) => void | Promise<void>;

export const eventsPerBatch = 4096;

/** Beyond 2^53 nanoseconds are rounded to the intended microsecond. */
const usOf = (ns: number): number =>
  Number.isSafeInteger(ns) ? Math.floor(ns / 1000) : Math.round(ns / 1000);

class ChannelTally {
  events = 0;
  firstNs = Number.POSITIVE_INFINITY;
  lastNs = Number.NEGATIVE_INFINITY;

  take(timeNs: number): void {
    this.events++;
    if (timeNs < this.firstNs) this.firstNs = timeNs;
    if (timeNs > this.lastNs) this.lastNs = timeNs;
  }
}

class Tally {
  readonly whole = new ChannelTally();
  readonly channels = new Map<number, ChannelTally>();
  readonly ids = new IdentifierSet();
  readonly buses = new Float64Array(4);
  readonly kinds = new Float64Array(3);
  errors = 0;
  remotes = 0;
  outOfOrder = 0;
  maxPauseNs = 0;
  #previousNs = Number.NaN;

  take(batch: TraceBatch): void {
    for (let row = 0; row < batch.count; row++) {
      const timeNs = batch.timeNs[row] as number;
      const flags = batch.flags[row] as number;
      const bus = batch.bus[row] as number;
      this.whole.take(timeNs);
      this.#channel(channelKeyAt(batch, row)).take(timeNs);
      this.buses[bus] = (this.buses[bus] as number) + 1;
      const kind = batch.kind[row] as number;
      this.kinds[kind] = (this.kinds[kind] as number) + 1;
      if ((flags & frameFlag.remote) !== 0) this.remotes++;
      this.errors += errorFramesAt(batch, row);
      if ((flags & frameFlag.error) === 0) this.ids.add(bus, flags, batch.id[row] as number);
      this.#pause(timeNs);
    }
  }

  #pause(timeNs: number): void {
    const pauseNs = timeNs - this.#previousNs;
    if (pauseNs < 0) this.outOfOrder++;
    else if (pauseNs > this.maxPauseNs) this.maxPauseNs = pauseNs;
    this.#previousNs = timeNs;
  }

  #channel(key: number): ChannelTally {
    const known = this.channels.get(key);
    if (known) return known;
    const tally = new ChannelTally();
    this.channels.set(key, tally);
    return tally;
  }
}

const channelsOf = ({ channels }: Tally, reader: TraceReader): ChannelSummary[] =>
  [...channels]
    .map(([key, { events, firstNs, lastNs }]) => ({
      ...channelOfKey(key),
      name: reader.channelNames?.get(key) ?? null,
      events,
      first_us: usOf(firstNs),
      last_us: usOf(lastNs),
    }))
    .sort((a, b) => a.channel - b.channel || a.bus.localeCompare(b.bus));

const named = <Name extends string>(
  codes: Readonly<Record<Name, number>>,
  counts: Float64Array,
): Record<Name, number> => {
  const entries = Object.entries<number>(codes).map(([name, code]) => [name, counts[code]]);
  return Object.fromEntries(entries) as Record<Name, number>;
};

export const summarizeTrace = async (
  reader: TraceReader,
  onProgress?: TraceProgress,
  isTimeUp: () => boolean = () => false,
): Promise<TraceSummary> => {
  const tally = new Tally();
  const batch = new TraceBatch(eventsPerBatch);
  let complete = false;
  while (!complete && !isTimeUp()) {
    complete = !reader.read(batch);
    tally.take(batch);
    if (!complete) await onProgress?.(reader.position);
  }
  const { whole, ids, errors, remotes, outOfOrder, maxPauseNs } = tally;
  const { events, skipped, gaps, missed, malformed, errors: flaws, truncated } = reader.account;
  return {
    complete,
    format: reader.format,
    started_at_us: reader.startUnixUs,
    duration_us: events === 0 ? 0 : usOf(whole.lastNs - whole.firstNs),
    events,
    buses: named(busCode, tally.buses),
    kinds: named(eventKindCode, tally.kinds),
    error_frames: errors,
    remote_frames: remotes,
    distinct_ids: ids.size,
    out_of_order: outOfOrder,
    longest_pause_us: usOf(maxPauseNs),
    channels: channelsOf(tally, reader),
    skipped,
    gaps,
    missed,
    malformed,
    flaws,
    truncated,
  };
};
