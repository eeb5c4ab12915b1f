import { ReaderStats } from '../reader-stats.ts';
import { getUint64 } from '../uint64.ts';
import { DataStream } from './data-stream.ts';
import type { DataGroupInfo } from './file-structure.ts';
import type { GroupPlan } from './group-plan.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { Mf4File } from './mf4-file.ts';
import { nsPerSecond, unfinalizedFlag } from './mf4-layout.ts';

export const step = { event: 0, end: 1, paused: 2 } as const;
export type Step = (typeof step)[keyof typeof step];

/** Records without an event after which a cursor pauses. */
const maxPassed = 0x1_0000;
const lengthBytes = 4;

interface FileContext {
  readonly file: Mf4File;
  readonly account: ReaderStats;
  readonly budget: MemoryBudget;
  readonly unfinalized: number;
  readonly startRestNs: number;
}

/**
 * Steps through the records of a data group:
 *
 *     sorted     [data][invalidation] of one group
 *     unsorted   [id][data][invalidation] of any group, or [id][length][bytes] of variable length
 */
class RecordScanner {
  readonly stream: DataStream;
  plan: GroupPlan;
  /** Offset in the stream of the record's data, and their length. */
  start = 0;
  length = 0;
  #next = 0;
  readonly #account: ReaderStats;
  readonly #unfinalized: number;
  readonly #idBytes: number;
  readonly #plans: ReadonlyMap<number, GroupPlan>;
  readonly #maxRecords: number;
  #records = 0;

  constructor(
    context: FileContext,
    { dataAt, recordIdBytes, groups }: DataGroupInfo,
    plans: ReadonlyMap<number, GroupPlan>,
  ) {
    const { file, account, budget, unfinalized } = context;
    const [first] = plans.values();
    if (!first) throw new RangeError('a data group has no groups');
    this.#account = account;
    this.#unfinalized = unfinalized;
    this.#idBytes = recordIdBytes;
    this.#plans = plans;
    this.plan = first;
    const cycles = groups[0]?.cycles ?? 0;
    const isCounted = recordIdBytes === 0 && cycles > 0;
    const isFinal = (unfinalized & unfinalizedFlag.cycleCounts) === 0;
    this.#maxRecords = isCounted && isFinal ? cycles : Number.POSITIVE_INFINITY;
    const hasInvalidBytes = groups.some(({ invalidationBytes }) => invalidationBytes > 0);
    this.stream = new DataStream(file, account, budget, dataAt, 'DT', unfinalized, hasInvalidBytes);
  }

  /** Number of the record, from 0. */
  get index(): number {
    return this.#records - 1;
  }

  next(): boolean {
    const from = this.#next;
    if (this.#records >= this.#maxRecords) return false;
    if (!this.stream.has(from, 1)) return this.#finish();
    if (this.#idBytes > 0 && !this.#readId(from)) return false;
    const start = from + this.#idBytes;
    const isVariable = this.plan.kind === 'variable';
    const length = isVariable ? this.#readLength(start) : this.plan.recordBytes;
    this.start = isVariable ? start + lengthBytes : start;
    this.length = length;
    this.#next = this.start + length;
    if (length < 0 || !this.stream.has(from, this.#next - from)) return this.#cut(from);
    this.#records += 1;
    return true;
  }

  #finish(): false {
    if (this.stream.isCut) this.#account.truncated = true;
    else if (Number.isFinite(this.#maxRecords)) {
      const { at, cycles } = this.plan.info;
      this.#account.error(at, `A group claims ${cycles} records but has ${this.#records}`);
    }
    return false;
  }

  #readId(from: number): boolean {
    const index = this.stream.find(from, this.#idBytes);
    if (index < 0) return this.#cut(from);
    const { bytes, view } = this.stream;
    const id =
      this.#idBytes === 8 ? getUint64(view, index) : littleEndian(bytes, index, this.#idBytes);
    const plan = this.#plans.get(id);
    if (plan) {
      this.plan = plan;
      return true;
    }
    this.#account.error(
      this.stream.fileOffset(from),
      `A record has the unknown id ${id}; the data after it are not read`,
    );
    return false;
  }

  #readLength(from: number): number {
    const index = this.stream.find(from, lengthBytes);
    return index < 0 ? -1 : this.stream.view.getUint32(index, true);
  }

  #cut(from: number): false {
    if (this.stream.isCut || this.#unfinalized !== 0) this.#account.truncated = true;
    else this.#account.error(this.stream.fileOffset(from), 'The last record is incomplete');
    return false;
  }
}

const littleEndian = (bytes: Uint8Array, at: number, count: number): number => {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] as number);
  return value;
};

/** Where the bytes are that a record has only an offset of. */
interface Elsewhere {
  readonly stream: DataStream;
  /** Finds the bytes of an offset; their length is negative if there are none. */
  locate(offset: number): { readonly start: number; readonly length: number };
}

const nowhere = { start: 0, length: -1 } as const;

/** Payloads in the blocks that a channel links to: [length][bytes] at the offset. */
class SignalData implements Elsewhere {
  readonly stream: DataStream;

  constructor(stream: DataStream) {
    this.stream = stream;
  }

  locate(offset: number): { start: number; length: number } {
    const index = this.stream.find(offset, lengthBytes);
    if (index < 0) return nowhere;
    return { start: offset + lengthBytes, length: this.stream.view.getUint32(index, true) };
  }
}

/**
 * Payloads in records of a group of their own, whose offsets count all its records. They are near
 * the records that refer to them, so a second scanner follows the first.
 */
class VariableRecords implements Elsewhere {
  readonly #scanner: RecordScanner;
  readonly #group: number;
  readonly #isInOrder: boolean;
  #offset = 0;
  #end = 0;
  #isOver = false;

  constructor(scanner: RecordScanner, group: number, unfinalized: number) {
    this.#scanner = scanner;
    this.#group = group;
    this.#isInOrder = (unfinalized & unfinalizedFlag.variableOffsets) !== 0;
  }

  get stream(): DataStream {
    return this.#scanner.stream;
  }

  locate(offset: number): { start: number; length: number } {
    const scanner = this.#scanner;
    const wanted = this.#isInOrder ? this.#end : offset;
    while (this.#offset < wanted || this.#end === 0) {
      if (this.#end > 0 && this.#end > wanted) break;
      if (this.#isOver || !this.#advance()) return nowhere;
    }
    return this.#offset === wanted ? { start: scanner.start, length: scanner.length } : nowhere;
  }

  #advance(): boolean {
    const scanner = this.#scanner;
    while (scanner.next()) {
      if (scanner.plan.info.at !== this.#group) continue;
      this.#offset = this.#end;
      this.#end += lengthBytes + scanner.length;
      return true;
    }
    this.#isOver = true;
    return false;
  }
}

/** The events of a data group, one after another, with the bytes of the current record. */
export class RecordCursor {
  timeNs = 0;
  /** Position among records of the same time; only in files that Busbar compressed. */
  order = 0;
  /** Index of the record in `bytes`; after `load`. */
  at = 0;
  dataAt = 0;
  /** Length of the payload; negative if it is missing. */
  dataLength = 0;
  dataBytes: Uint8Array = new Uint8Array();
  /** Position of the group in the file. */
  readonly number: number;
  readonly #context: FileContext;
  readonly #group: DataGroupInfo;
  readonly #plans: ReadonlyMap<number, GroupPlan>;
  readonly #scanner: RecordScanner;
  readonly #elsewhere = new Map<number, Elsewhere>();

  constructor(
    context: FileContext,
    group: DataGroupInfo,
    plans: ReadonlyMap<number, GroupPlan>,
    number: number,
  ) {
    this.number = number;
    this.#context = context;
    this.#group = group;
    this.#plans = plans;
    this.#scanner = new RecordScanner(context, group, plans);
  }

  get plan(): GroupPlan {
    return this.#scanner.plan;
  }

  get bytes(): Uint8Array {
    return this.#scanner.stream.bytes;
  }

  get view(): DataView {
    return this.#scanner.stream.view;
  }

  /** Whether the file ended before its data did. */
  get isCut(): boolean {
    return this.#context.unfinalized !== 0 || this.#scanner.stream.isCut;
  }

  get fileOffset(): number {
    return this.#scanner.stream.fileOffset(this.#scanner.start);
  }

  advance(): Step {
    const scanner = this.#scanner;
    for (let passed = 0; passed < maxPassed; passed++) {
      if (!scanner.next()) return step.end;
      const { plan } = scanner;
      if (plan.kind === 'variable') continue;
      if (plan.kind === 'skipped') {
        if (plan.skip !== 'signal_group') this.#context.account.skip(plan.skip);
        continue;
      }
      this.at = scanner.stream.find(scanner.start, scanner.length);
      if (this.at < 0) return this.#end();
      this.timeNs = this.#time(plan);
      this.order = plan.fields.order?.get(this.bytes, this.view, this.at) ?? 0;
      return step.event;
    }
    return step.paused;
  }

  /** Finds the bytes of the record, which the memory of other groups can have displaced. */
  load(): boolean {
    const scanner = this.#scanner;
    this.at = scanner.stream.find(scanner.start, scanner.length);
    if (this.at < 0) return false;
    const { data } = scanner.plan;
    if (!data) {
      this.dataLength = 0;
      return true;
    }
    if (data.link === 0) {
      this.dataBytes = this.bytes;
      this.dataAt = this.at + data.byte;
      this.dataLength = data.bytes;
      return true;
    }
    const elsewhere = this.#elsewhereOf(data.link);
    const offset = getUint64(this.view, this.at + data.byte);
    const { start, length } = elsewhere.locate(offset);
    this.dataLength = length;
    if (length < 0 || length > maxPayload) return true;
    this.dataAt = elsewhere.stream.find(start, length);
    if (this.dataAt < 0) this.dataLength = -1;
    this.dataBytes = elsewhere.stream.bytes;
    return true;
  }

  #end(): Step {
    if (this.#scanner.stream.isCut) this.#context.account.truncated = true;
    return step.end;
  }

  #time({ time }: GroupPlan): number {
    const { field, unitNs, factor, offset } = time;
    const raw = field ? field.get(this.bytes, this.view, this.at) : this.#scanner.index;
    const ns = unitNs > 0 ? raw * unitNs : Math.round((raw * factor + offset) * nsPerSecond);
    return (Number.isFinite(ns) ? ns : 0) + this.#context.startRestNs;
  }

  #elsewhereOf(link: number): Elsewhere {
    const known = this.#elsewhere.get(link);
    if (known) return known;
    const { file, account, budget, unfinalized } = this.#context;
    const isGroup = this.#group.groups.some(({ at }) => at === link);
    const made = isGroup
      ? new VariableRecords(
          // Its errors are those of the other scanner.
          new RecordScanner(
            { ...this.#context, account: new ReaderStats() },
            this.#group,
            this.#plans,
          ),
          link,
          unfinalized,
        )
      : new SignalData(new DataStream(file, account, budget, link, 'SD', unfinalized));
    this.#elsewhere.set(link, made);
    return made;
  }
}

/** More than any frame has. */
export const maxPayload = 4096;
