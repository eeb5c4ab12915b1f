import { BusbarError } from '../base/errors/busbar-error.ts';
import { DatabaseIndexes } from '../condition/channel-watches.ts';
import { compileCondition } from '../condition/compile-condition.ts';
import { type Term, termsOf } from '../condition/condition.ts';
import type { ConditionDatabase } from '../condition/condition-context.ts';
import { ConditionRun } from '../condition/condition-run.ts';
import { rowKind, rowKindAt } from '../condition/row-kind.ts';
import { maxStandardId } from '../frame/frame.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import { idOfPdu, isLong } from '../pdu/long-pdu.ts';
import type { Pdu } from '../pdu/pdu.ts';
import { TracePdus } from '../pdu/trace-pdus.ts';
import { channelKeyAt, channelOfKey, channelText } from '../trace/channel-key.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';
import type { TraceGap } from '../trace/trace-gap.ts';
import type { Check } from './check.ts';
import type { CheckResult } from './check-record.ts';
import { EventHistory } from './event-history.ts';
import { noEvent } from './findings.ts';
import { MessageNames } from './message-names.ts';
import {
  type BuildContext,
  type Judge,
  JudgeBuilder,
  type WatchedCondition,
  type Watcher,
} from './rules/build-evaluators.ts';
import { Deadline, type FrameHandler } from './rules/evaluator.ts';
import type { LoadEvaluator } from './rules/load-evaluator.ts';

export type CheckContext = BuildContext;

/** Identifiers whose handlers are remembered; a hostile bus has more. */
const maxRemembered = 65_536;
const maxChannels = 4096;
/** A step back in time by more is a set clock; by less, events of two channels out of order. */
const maxDisorderNs = 1e9;

const noHandlers: readonly FrameHandler[] = [];

/** Handlers of the frames on one channel, found by their identifiers. */
class CheckedChannel {
  readonly key: number;
  readonly loads: readonly LoadEvaluator[];
  readonly #watchers: readonly Watcher[];
  readonly #databases: readonly ConditionDatabase[];
  readonly #indexes: DatabaseIndexes;
  readonly #standard: (readonly FrameHandler[] | undefined)[] = new Array(maxStandardId + 1);
  readonly #extended = new Map<number, readonly FrameHandler[]>();
  readonly #long = new Map<number, readonly FrameHandler[]>();

  constructor(
    key: number,
    watchers: readonly Watcher[],
    loads: readonly LoadEvaluator[],
    databases: readonly ConditionDatabase[],
    indexes: DatabaseIndexes,
  ) {
    this.key = key;
    this.loads = loads;
    this.#watchers = watchers;
    this.#databases = databases;
    this.#indexes = indexes;
  }

  of(id: number, extended: boolean): readonly FrameHandler[] {
    if (!extended && id <= maxStandardId) {
      const known = this.#standard[id];
      if (known !== undefined) return known;
      const found = this.#find(this.#watchers, id, false);
      this.#standard[id] = found;
      return found;
    }
    return this.#remembered(this.#extended, this.#watchers, id, extended);
  }

  /** Handlers of payloads that are longer than a frame. */
  ofLong(id: number): readonly FrameHandler[] {
    const watchers = this.#watchers.filter(({ takesLong }) => takesLong);
    return this.#remembered(this.#long, watchers, id, true);
  }

  #remembered(
    handlers: Map<number, readonly FrameHandler[]>,
    watchers: readonly Watcher[],
    id: number,
    extended: boolean,
  ): readonly FrameHandler[] {
    const known = handlers.get(id);
    if (known !== undefined) return known;
    const found = this.#find(watchers, id, extended);
    if (handlers.size < maxRemembered) handlers.set(id, found);
    return found;
  }

  #find(watchers: readonly Watcher[], id: number, extended: boolean): readonly FrameHandler[] {
    if (watchers.length === 0) return noHandlers;
    const message = this.#indexes.find(this.#databases, id, extended);
    const handlers = watchers.flatMap((watcher) => {
      const handler = watcher.handlerFor(this.key, this.#databases, message, id, extended);
      return handler === null ? [] : [handler];
    });
    return handlers.length === 0 ? noHandlers : handlers;
  }
}

/**
 * Judges checks over events in order of time, live and on files alike. Gaps are marks between
 * events. Allocates nothing per event.
 */
export class CheckRun {
  readonly #context: CheckContext;
  readonly #history = new EventHistory();
  readonly #deadline = new Deadline();
  readonly #indexes = new DatabaseIndexes();
  readonly #judges: readonly Judge[];
  readonly #watchers: readonly Watcher[];
  readonly #conditions: readonly WatchedCondition[];
  readonly #conditionRun: ConditionRun | null;
  /** Reassembles payloads, if a check needs them. */
  readonly #pdus: TracePdus | null;
  #longPdus: Pdu[] = [];
  readonly #channels = new Map<number, CheckedChannel>();
  /** Channels on which terms without a channel can match, by condition. */
  readonly #openTerms: (number | null)[][];
  #last: CheckedChannel | null = null;
  #nowNs = Number.NEGATIVE_INFINITY;
  #firstNs = Number.NaN;
  #event = 0;
  gaps = 0;
  missed = 0;
  #hasEnded = false;

  constructor(checks: readonly Check[], context: CheckContext) {
    this.#context = context;
    const names = new MessageNames(context, this.#indexes);
    const { leavesAmbiguous = false } = context;
    const parts = { history: this.#history, deadline: this.#deadline, leavesAmbiguous };
    const builder = new JudgeBuilder(context, names, parts);
    this.#judges = checks.map((check) => builder.build(check));
    this.#watchers = this.#judges.flatMap(({ watchers }) => watchers);
    this.#conditions = this.#judges.flatMap(({ conditions }) => conditions);
    this.#openTerms = this.#conditions.map(({ condition }) => termsOf(condition).map(() => null));
    const compiled = this.#conditions.map(({ condition, evaluator }) =>
      compileCondition(condition, evaluator.check.field, context),
    );
    this.#conditionRun = compiled.length === 0 ? null : new ConditionRun(context, compiled);
    const keep = (pdu: Pdu): void => {
      if (isLong(pdu)) this.#longPdus.push(pdu);
    };
    this.#pdus = this.#watchers.some(({ takesLong }) => takesLong)
      ? new TracePdus(context.startUnixUs ?? null, keep, {
          awaitsAcknowledgement: false,
          isJ1939Only: true,
        })
      : null;
  }

  /** Events up to now. */
  get events(): number {
    return this.#history.last;
  }

  /** Time of the first event; NaN without events. */
  get firstNs(): number {
    return this.#firstNs;
  }

  /** Time of the last event, or up to which time has passed. */
  get nowNs(): number {
    return this.#nowNs;
  }

  /** Keys of the channels that have had events. */
  get channels(): readonly number[] {
    return [...this.#channels.keys()];
  }

  /** Refuses checks that match on several of these channels, regardless of their events. */
  refuseAmbiguous(keys: readonly number[]): void {
    for (const key of keys) this.#enter(key);
  }

  /** Takes the first events of a batch, and the gaps between them. Live events have ids, by row. */
  take(batch: TraceBatch, eventIds: Float64Array | null = null, count: number = batch.count): void {
    const { gaps } = batch;
    let gap = 0;
    for (let from = 0; from < count; from += EventHistory.maxRows) {
      const to = Math.min(count, from + EventHistory.maxRows);
      this.#event = this.#history.last;
      this.#history.add(batch, from, to, eventIds);
      for (let row = from; row < to; row++) {
        for (; gap < gaps.length && (gaps[gap] as TraceGap).row <= row; gap++) {
          this.gap((gaps[gap] as TraceGap).missed);
        }
        this.#row(batch, row);
      }
      for (const { evaluator } of this.#judges) evaluator.cut(false);
    }
    this.#event = this.#history.last;
    for (; gap < gaps.length; gap++) {
      this.gap((gaps[gap] as TraceGap).missed);
    }
  }

  /**
   * Events after the last one are missing, a number of them if it is known. They may have arrived at
   * any time up to the next event.
   */
  gap(missed: number | null): void {
    this.gaps += 1;
    this.missed += missed ?? 0;
    // A gap before all events is at the start.
    if (this.#nowNs === Number.NEGATIVE_INFINITY) this.#nowNs = 0;
    this.#conditionRun?.gap();
    this.#forget(missed);
  }

  /** Lets time pass without events. */
  advance(untilNs: number): void {
    const run = this.#conditionRun;
    while (run?.advance(untilNs)) this.#fire(run, Number.POSITIVE_INFINITY, null);
    if (untilNs > this.#nowNs) this.#moveTo(untilNs);
  }

  /** Observation ends. Without a time it ended with the last event. */
  end(timeNs: number = this.#nowNs): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.advance(timeNs);
    for (const { evaluator } of this.#judges) {
      evaluator.end(this.#nowNs, this.#event);
      evaluator.cut(true);
    }
  }

  /** Results of the checks in their order, after the end. */
  get results(): readonly CheckResult[] {
    return this.#judges.map(({ evaluator }) => evaluator.result);
  }

  #row(batch: TraceBatch, row: number): void {
    const timeNs = batch.timeNs[row] as number;
    const number = this.#event + 1;
    if (timeNs > this.#nowNs) this.#moveTo(timeNs);
    else if (timeNs < this.#nowNs - maxDisorderNs) this.#setBack(timeNs);
    if (number === 1) this.#firstNs = timeNs;
    this.#event = number;
    const key = channelKeyAt(batch, row);
    const channel = this.#last?.key === key ? this.#last : this.#channelOf(key);
    const { loads } = channel;
    for (let i = 0; i < loads.length; i++) {
      loads[i]?.event(batch, row, timeNs, number, key, this.#firstNs);
    }
    const flags = batch.flags[row] as number;
    if ((flags & frameFlag.remote) === 0 && rowKindAt(batch, row) === rowKind.frame) {
      const extended = (flags & frameFlag.extended) !== 0;
      const handlers = channel.of(batch.id[row] as number, extended);
      for (let i = 0; i < handlers.length; i++) {
        handlers[i]?.frame(batch, row, timeNs, number, key);
      }
    }
    if (this.#pdus !== null) {
      this.#pdus.takeRow(batch, row);
      if (this.#longPdus.length > 0) this.#takeLong(channel, timeNs);
    }
    const run = this.#conditionRun;
    if (run?.row(batch, row)) this.#fire(run, timeNs, key);
  }

  /** Payloads that the current event, on a channel, completed. */
  #takeLong(channel: CheckedChannel, timeNs: number): void {
    for (const pdu of this.#longPdus) {
      for (const handler of channel.ofLong(idOfPdu(pdu))) {
        handler.long?.(pdu.payload, timeNs, this.#event, channel.key);
      }
    }
    this.#longPdus = [];
  }

  /** Conditions that fired at an event of a channel, or before it. */
  #fire(run: ConditionRun, timeNs: number, key: number | null): void {
    const conditions = this.#conditions;
    for (let i = 0; i < conditions.length; i++) {
      if (!run.fired(i)) continue;
      const atNs = run.firedAtNs(i);
      const isAtEvent = atNs >= timeNs;
      const event = isAtEvent ? this.#event : noEvent;
      conditions[i]?.fire(atNs, event, this.#event, isAtEvent ? key : null);
    }
  }

  #moveTo(timeNs: number): void {
    this.#nowNs = timeNs;
    if (this.#deadline.ns >= timeNs) return;
    this.#deadline.ns = Number.POSITIVE_INFINITY;
    for (const { evaluator } of this.#judges) evaluator.expire(timeNs, this.#event);
  }

  /** The clock was set back: what came before says nothing about what follows. */
  #setBack(timeNs: number): void {
    this.gaps += 1;
    this.#nowNs = timeNs;
    this.#forget(null);
  }

  #forget(missed: number | null): void {
    this.#pdus?.missed();
    for (const { evaluator } of this.#judges) evaluator.gap(this.#nowNs, this.#event, missed);
  }

  #channelOf(key: number): CheckedChannel {
    const channel = this.#channels.get(key) ?? this.#enter(key);
    this.#last = channel;
    return channel;
  }

  #enter(key: number): CheckedChannel {
    if (this.#channels.size >= maxChannels) {
      throw new BusbarError('capacity_exceeded', {
        message: `Checks watch at most ${maxChannels} channels`,
        details: { limit: maxChannels },
      });
    }
    const isOn = ({ on }: Check): boolean =>
      on === null || this.#context.isChannel(on.channel, key);
    const { bus } = channelOfKey(key);
    const databases = this.#context.databasesOf(key).filter((database) => database.bus === bus);
    this.#claimConditions(key, databases);
    const loads = this.#judges.flatMap(({ load }) =>
      load !== null && isOn(load.check) ? [load] : [],
    );
    for (const load of loads) load.claim(key);
    const watchers = this.#watchers.filter(({ check }) => isOn(check));
    const channel = new CheckedChannel(key, watchers, loads, databases, this.#indexes);
    this.#channels.set(key, channel);
    return channel;
  }

  /** Terms without a channel may match on one only. */
  #claimConditions(key: number, databases: readonly ConditionDatabase[]): void {
    this.#conditions.forEach(({ condition, evaluator, concern }, index) => {
      const channels = this.#openTerms[index] as (number | null)[];
      termsOf(condition).forEach((term, place) => {
        const isOwn = term.on === null || this.#context.isChannel(term.on.channel, key);
        if (!isOwn || !canMatch(term, key, databases)) return;
        concern();
        if (term.on !== null) return;
        const other = channels[place] ?? null;
        if (other !== null) evaluator.refuseSeveral([other, key]);
        channels[place] = key;
      });
    });
  }
}

const maxLinId = 0x3f;

/** Whether a term can match on a channel with these databases. */
const canMatch = (term: Term, key: number, databases: readonly ConditionDatabase[]): boolean => {
  const isLin = channelOfKey(key).bus === 'lin';
  switch (term.op) {
    case 'signal':
    case 'change':
      return databases.some(({ heads }) => heads.some(({ name }) => name === term.name.message));
    case 'frame':
    case 'silence': {
      const { extended, low } = term.id.pattern;
      return !isLin || (!extended && low <= maxLinId);
    }
    case 'bus_off':
      return !isLin;
    case 'pdu':
      return term.protocol === null || (term.protocol === 'lin') === isLin;
    default:
      return true;
  }
};

export const channelTexts = (run: CheckRun): readonly string[] => run.channels.map(channelText);
