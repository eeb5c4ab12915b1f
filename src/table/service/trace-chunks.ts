import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { ConditionOverTrace, TraceCondition } from '../../condition/trace-condition.ts';
import {
  channelKeyAt,
  channelKeysOf,
  channelPattern,
  channelText,
  isChannel,
} from '../../trace/channel-key.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { TraceReader } from '../../trace/trace-format.ts';
import { walkRows } from '../../trace/trace-gap.ts';
import { type ChunkTimes, eventTimeUs } from '../decode/chunk-decoder.ts';
import type { ChosenDatabase } from '../decode/decode-settings.ts';
import { type LongPayload, LongPayloads } from '../decode/long-payloads.ts';
import { refuseDates, type TimeLimits, unixLimitsOf } from './time-limit.ts';

const noNames: ReadonlyMap<number, string> = new Map();

const numbered = new RegExp(channelPattern);

export interface ChunkSource {
  readonly reader: TraceReader;
  readonly limits: TimeLimits;
  /** All events without it. */
  readonly filter?: TraceCondition | null;
}

/** A trace in chunks, with the times that apply to them and the channels seen up to now. */
export class TraceChunks {
  readonly #reader: TraceReader;
  readonly #limits: TimeLimits;
  readonly #channels = new Set<number>();
  #times: ChunkTimes;
  #hasFirst = false;
  #isOver = false;
  read = 0;
  /** J1939 payloads that are complete with the last chunk. */
  long: readonly LongPayload[] = [];
  readonly #payloads: LongPayloads | null;
  readonly #over: ConditionOverTrace | null;
  /** Events that the filter did not pass. */
  filtered = 0;

  constructor({ reader, limits, filter }: ChunkSource, { hasGroups }: { hasGroups: boolean }) {
    this.#over = filter?.over(reader) ?? null;
    this.#reader = reader;
    this.#payloads = hasGroups ? new LongPayloads(reader.startUnixUs) : null;
    this.#limits = limits;
    const { startUnixUs } = reader;
    if (startUnixUs === null) refuseDates(limits);
    const [fromUs, toUs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    this.#times = { startUnixUs: startUnixUs ?? 0, fromUs, toUs };
  }

  get times(): ChunkTimes {
    return this.#times;
  }

  get names(): ReadonlyMap<number, string> {
    return this.#reader.channelNames ?? noNames;
  }

  get position(): number {
    return this.#reader.position;
  }

  /** Fills the batch with the next events; false at the end. */
  next(batch: TraceBatch): boolean {
    if (this.#isOver) return false;
    this.#isOver = !this.#reader.read(batch);
    const { count } = batch;
    this.read += count;
    this.long = this.#payloads?.take(batch) ?? [];
    if (count === 0) {
      if (this.#over !== null) this.#filter(this.#over, batch);
      return !this.#isOver;
    }
    if (!this.#hasFirst) {
      this.#hasFirst = true;
      const { startUnixUs } = this.#times;
      const firstUs = eventTimeUs(startUnixUs, batch.timeNs[0] as number);
      this.#times = { startUnixUs, ...unixLimitsOf(this.#limits, firstUs) };
    }
    let last = -1;
    for (let row = 0; row < count; row++) {
      const key = channelKeyAt(batch, row);
      if (key === last) continue;
      last = key;
      this.#channels.add(key);
    }
    if (this.#over !== null) this.#filter(this.#over, batch);
    return true;
  }

  /** Leaves the rows that the filter passes, and the payloads that are complete with them. */
  #filter({ filter }: ConditionOverTrace, batch: TraceBatch): void {
    const { count } = batch;
    const long: LongPayload[] = [];
    let next = 0;
    let kept = 0;
    walkRows(
      batch,
      (row) => {
        const passes = filter.passes(batch, row);
        for (let payload = this.long[next]; payload?.row === row; payload = this.long[++next]) {
          if (passes) long.push({ ...payload, row: kept });
        }
        if (!passes) return;
        batch.count = kept;
        batch.appendRow(batch, row);
        kept += 1;
      },
      ({ timeNs }) => filter.gap(timeNs),
    );
    batch.count = kept;
    this.filtered += count - kept;
    this.long = long;
  }

  /** Refuses channels of databases and of the filter that the trace does not have. */
  checkChannels(databases: readonly ChosenDatabase[]): void {
    const keys = [...this.#channels].sort((a, b) => a - b);
    const hasChannel = (wanted: string): boolean =>
      keys.some((key) => isChannel(wanted, key, this.names.get(key) ?? null));
    const absent = databases.find(({ channel }) => channel !== null && !hasChannel(channel));
    if (!absent) {
      this.#over?.check(this.#channels);
      return;
    }
    const channels = keys.map(channelText);
    const named = keys.map((key) => {
      const name = this.names.get(key);
      return name === undefined ? channelText(key) : `${channelText(key)} = ${name}`;
    });
    const others = keys.length > 0 ? `available: ${named.join(', ')}` : 'the file has no events';
    throw invalidArgument('databases', `The trace has no channel ${absent.channel}; ${others}`, {
      reason: 'no_such_channel',
      channel: absent.channel,
      file_channels: channels,
    });
  }
}

/** Refuses numbers that no channel can have; other texts can be names. */
export const assertChannel = (text: string): void => {
  const isNumber = numbered.test(text);
  if (text !== '' && (!isNumber || channelKeysOf(text).length > 0)) return;
  throw invalidArgument('databases', `No such channel: ${text}`, { reason: 'no_such_channel' });
};
