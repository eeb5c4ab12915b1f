import { BusbarError } from '../base/errors/busbar-error.ts';
import { DeadlineHeap } from '../base/schedule/deadline-heap.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import { idOfPdu, isLong } from '../pdu/long-pdu.ts';
import type { Pdu } from '../pdu/pdu.ts';
import { TracePdus } from '../pdu/trace-pdus.ts';
import { channelKeyAt } from '../trace/channel-key.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';
import { ChannelWatches, DatabaseIndexes, IdentifierRoom } from './channel-watches.ts';
import type { CompiledCondition } from './compile-condition.ts';
import type { ConditionContext } from './condition-context.ts';
import { matchesPdu } from './pdu-match.ts';
import { Program } from './program.ts';
import { isBusOff, isErrorFrame, rowKind, rowKindAt } from './row-kind.ts';
import { DecodingWatch, type SilenceWatch, TermCell } from './term-cell.ts';

/** Channels of a trace; a hostile file has more. */
const maxChannels = 4096;
/** A step back in time by more is a set clock; by less, events of two channels out of order. */
export const maxDisorderNs = 1e9;

/** Cells in order. It is emptied without its memory, which `length = 0` would free. */
class CellList {
  readonly #cells: ConditionCell[] = [];
  count = 0;

  add(cell: ConditionCell): void {
    this.#cells[this.count] = cell;
    this.count += 1;
  }

  at(index: number): ConditionCell {
    return this.#cells[index] as ConditionCell;
  }
}

class ConditionCell {
  readonly program: Program;
  readonly terms: readonly TermCell[];
  isTouched = false;
  isFired = false;
  isFiredAtRow = false;
  firedAtNs = Number.NaN;

  constructor({ condition, terms }: CompiledCondition, touched: CellList) {
    this.program = new Program(condition);
    const touch = (): void => {
      if (this.isTouched) return;
      this.isTouched = true;
      touched.add(this);
    };
    this.terms = terms.map((term) => new TermCell(term, touch));
  }

  /** The instants of a moment are over. */
  settle(): void {
    this.isTouched = false;
    for (const term of this.terms) term.isHit = false;
  }
}

/** What reassembles payloads, if a term needs them. */
const pduSource = (
  compiled: readonly CompiledCondition[],
  { databases, startUnixUs = null }: ConditionContext,
  onPdu: (pdu: Pdu) => void,
): TracePdus | null => {
  const terms = compiled.flatMap(({ terms }) => terms.map(({ term }) => term));
  const hasPdus = terms.some(({ op }) => op === 'pdu');
  const names = new Set(terms.flatMap((term) => ('name' in term ? [term.name.message] : [])));
  const hasGroups = databases.some(({ heads }) =>
    heads.some(({ name, pgn }) => pgn !== undefined && names.has(name)),
  );
  if (!hasPdus && !hasGroups) return null;
  return new TracePdus(startUnixUs, onPdu, { awaitsAcknowledgement: false, isJ1939Only: !hasPdus });
};

/**
 * Evaluates conditions over events in order of time. Without `on`, a term watches each channel on
 * its own: a state holds while it holds on one of them.
 *
 *     row, advance ──▶ watches of (channel, id) ──▶ terms ──▶ programs of touched conditions
 *
 * Events before a gap say nothing about those after it: states are false again, windows are
 * empty, and nothing fires at the gap itself.
 */
export class ConditionRun {
  readonly #context: ConditionContext;
  readonly #conditions: readonly ConditionCell[];
  readonly #cells: readonly TermCell[];
  readonly #channels = new Map<number, ChannelWatches>();
  readonly #deadlines = new DeadlineHeap<SilenceWatch>();
  readonly #shared = {
    indexes: new DatabaseIndexes(),
    room: new IdentifierRoom(),
    deadlines: this.#deadlines,
  };
  readonly #pdus: TracePdus | null;
  readonly #touched = new CellList();
  readonly #fired = new CellList();
  #last: ChannelWatches | null = null;
  /** Nanoseconds, in an array that others can read: a number would be allocated per call. */
  readonly #now = Float64Array.of(Number.NEGATIVE_INFINITY);
  #payload: Uint8Array | null = null;
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(context: ConditionContext, conditions: readonly CompiledCondition[]) {
    this.#context = context;
    this.#conditions = conditions.map((one) => new ConditionCell(one, this.#touched));
    this.#cells = this.#conditions.flatMap(({ terms }) => terms);
    this.#pdus = pduSource(conditions, context, (pdu) => this.#takePdu(pdu));
    this.#rebase();
  }

  /**
   * Takes an event. Returns whether a condition fired at it, or between it and the last call, at
   * the end of a silence.
   */
  row(batch: TraceBatch, row: number): boolean {
    this.#clearFired();
    const timeNs = batch.timeNs[row] as number;
    const nowNs = this.#now[0] as number;
    if (timeNs < nowNs - maxDisorderNs) this.gap(timeNs);
    else if (timeNs > nowNs) {
      // Silences end before the event, each at its own moment.
      while (this.#deadlines.firstDeadline <= timeNs) this.#expire();
      this.#now[0] = timeNs;
    }
    this.#observe(batch, row);
    this.#pdus?.takeRow(batch, row);
    if (this.#touched.count > 0) this.#evaluate(true);
    return this.#fired.count > 0;
  }

  /**
   * Lets time pass without events. Stops at the first moment at which a condition fires, and
   * returns whether there was one: call it again until there is none.
   */
  advance(untilNs: number): boolean {
    this.#clearFired();
    while (this.#deadlines.firstDeadline <= untilNs) {
      this.#expire();
      if (this.#fired.count > 0) return true;
    }
    if (untilNs > (this.#now[0] as number)) this.#now[0] = untilNs;
    return false;
  }

  /** Time of the next change without events: not later, but perhaps earlier. Infinity for never. */
  get nextDeadlineNs(): number {
    return this.#deadlines.firstDeadline;
  }

  /** Events are missing, or the clock was set to a time. */
  gap(timeNs = this.#now[0] as number): void {
    this.#now[0] = timeNs;
    this.#pdus?.missed();
    for (const channel of this.#channels.values()) channel.reset();
    this.#rebase();
  }

  /** Whether a condition fired in the last call of `row` or `advance`. */
  fired(index = 0): boolean {
    return (this.#conditions[index] as ConditionCell).isFired;
  }

  /** When it fired first in that call. */
  firedAtNs(index = 0): number {
    return (this.#conditions[index] as ConditionCell).firedAtNs;
  }

  /** Whether a condition that is a state holds. */
  holds(index = 0): boolean {
    return (this.#conditions[index] as ConditionCell).program.holds;
  }

  /** As a filter: events at which an instant fires, or during which a state holds. */
  selects(index = 0): boolean {
    const { program, isFiredAtRow } = this.#conditions[index] as ConditionCell;
    return program.isState ? program.holds : isFiredAtRow;
  }

  /** Names after `on` that no channel had up to now. */
  get unmetChannels(): readonly string[] {
    const names = (isMet: boolean): string[] =>
      this.#cells
        .filter((cell) => cell.isMet === isMet)
        .flatMap(({ compiled: { term } }) => (term.on === null ? [] : [term.on.channel]));
    const met = new Set(names(true));
    return [...new Set(names(false))].filter((name) => !met.has(name));
  }

  #observe(batch: TraceBatch, row: number): void {
    const kind = rowKindAt(batch, row);
    const channel = this.#channelOf(channelKeyAt(batch, row));
    if (kind === rowKind.frame) {
      const extended = ((batch.flags[row] as number) & frameFlag.extended) !== 0;
      const watches = channel.of(batch.id[row] as number, extended);
      if (watches.length === 0) return;
      if (batch.payload !== this.#payload) this.#openBatch(batch);
      for (let i = 0; i < watches.length; i++) {
        watches[i]?.take(batch, row, this.#view, this.#now);
      }
    } else if (kind === rowKind.error) {
      for (const cell of channel.errors) {
        const isOf = cell.compiled.term.op === 'error' ? isErrorFrame : isBusOff;
        if (isOf(batch, row)) cell.hit();
      }
    }
  }

  #openBatch({ payload }: TraceBatch): void {
    this.#payload = payload;
    this.#view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  }

  #channelOf(key: number): ChannelWatches {
    if (this.#last?.key === key) return this.#last;
    const channel = this.#channels.get(key) ?? this.#enter(key);
    this.#last = channel;
    return channel;
  }

  #enter(key: number): ChannelWatches {
    if (this.#channels.size >= maxChannels) {
      throw new BusbarError('capacity_exceeded', {
        message: `Conditions watch at most ${maxChannels} channels`,
        details: { limit: maxChannels },
      });
    }
    const channel = new ChannelWatches(key, this.#cells, this.#context, this.#shared);
    this.#channels.set(key, channel);
    const pairs = this.#context.pairsOf?.(key) ?? [];
    if (pairs.length > 0) this.#pdus?.setPairs(key, pairs);
    return channel;
  }

  #takePdu(pdu: Pdu): void {
    const channel = this.#channels.get(pdu.channel);
    if (channel === undefined) return;
    for (const cell of channel.pdus) {
      const { term, data } = cell.compiled;
      if (term.op === 'pdu' && matchesPdu(term, data, pdu)) cell.hit();
    }
    if (isLong(pdu)) this.#takeLong(channel, pdu);
  }

  /** Signals of a payload that is in no frame. */
  #takeLong(channel: ChannelWatches, pdu: Pdu): void {
    const { payload } = pdu;
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    for (const watch of channel.of(idOfPdu(pdu), true)) {
      if (watch instanceof DecodingWatch && watch.hasGroup) {
        watch.takeBytes(view, 0, payload.length);
      }
    }
  }

  #expire(): void {
    const deadlines = this.#deadlines;
    const planned = deadlines.firstDeadline;
    let isDue = false;
    while (deadlines.firstDeadline <= planned) {
      const silence = deadlines.first as SilenceWatch;
      if (silence.deadlineNs > planned) deadlines.put(silence, silence.deadlineNs);
      else {
        silence.expire();
        isDue = true;
      }
    }
    if (!isDue) return;
    if (planned > (this.#now[0] as number)) this.#now[0] = planned;
    this.#evaluate(false);
  }

  #evaluate(isAtRow: boolean): void {
    const touched = this.#touched;
    for (let i = 0; i < touched.count; i++) {
      const cell = touched.at(i);
      const fires = cell.program.evaluate(cell.terms, this.#now);
      cell.settle();
      if (!fires) continue;
      if (isAtRow) cell.isFiredAtRow = true;
      if (cell.isFired) continue;
      cell.isFired = true;
      cell.firedAtNs = this.#now[0] as number;
      this.#fired.add(cell);
    }
    touched.count = 0;
  }

  #clearFired(): void {
    const fired = this.#fired;
    for (let i = 0; i < fired.count; i++) {
      const cell = fired.at(i);
      cell.isFired = false;
      cell.isFiredAtRow = false;
    }
    fired.count = 0;
  }

  /** Takes the states as they are, without firing. */
  #rebase(): void {
    for (const cell of this.#conditions) {
      cell.settle();
      cell.program.reset(cell.terms);
    }
    this.#touched.count = 0;
  }
}
