import { channelKey } from '../channel-key.ts';
import { ReaderStats } from '../reader-stats.ts';
import type { TraceBatch } from '../trace-batch.ts';
import type {
  ByteSource,
  OpenTrace,
  TraceAttachment,
  TraceReader,
  TraceStats,
} from '../trace-format.ts';
import { missedBy } from '../trace-gap.ts';
import { CursorHeap } from './cursor-heap.ts';
import { decodeRecord, outcome } from './decode-record.ts';
import {
  type AttachmentInfo,
  type DataGroupInfo,
  readAttachmentBytes,
  readStructure,
} from './file-structure.ts';
import { type GroupPlan, planGroup, skippedPlan } from './group-plan.ts';
import { MemoryBudget } from './memory-budget.ts';
import { Mf4File, refuseMf4 } from './mf4-file.ts';
import { RecordCursor, step } from './record-cursor.ts';
import { RemarkReader } from './remark-record.ts';

const recordsPerRead = 0x1_0000;
/** Each has a piece of the file in memory. */
const maxEventGroups = 10_000;
/** Names that say no more than the bus. */
const genericName = /^(?:can|lin|bus|can[ _-]?bus|lin[ _-]?bus|can ?fd)?$/i;

/** Reads MF4: the groups with events of a bus, merged by time. */
class Mf4Reader implements TraceReader {
  readonly format = 'mf4';
  readonly startUnixUs: number | null;
  readonly channelNames = new Map<number, string>();
  readonly #file: Mf4File;
  readonly #account = new ReaderStats();
  readonly #remarks = new RemarkReader(this.channelNames);
  readonly #heap = new CursorHeap();
  readonly #waiting: RecordCursor[] = [];
  readonly #naming = new Set<GroupPlan>();
  readonly #attachments: readonly AttachmentInfo[];
  #isOver = false;

  constructor(source: ByteSource) {
    this.#file = new Mf4File(source);
    const structure = readStructure(this.#file);
    this.startUnixUs = structure.startUnixUs;
    this.#attachments = structure.attachments;
    const budget = new MemoryBudget();
    const context = {
      file: this.#file,
      account: this.#account,
      budget,
      unfinalized: structure.unfinalized,
      startRestNs: structure.startRestNs,
    };
    const groups = structure.dataGroups.flatMap((group) => {
      const plans = this.#plansOf(group);
      return plans ? [{ group, plans }] : [];
    });
    if (groups.length > maxEventGroups) {
      refuseMf4(
        'too_many_groups',
        `The file has ${groups.length} data groups with events; up to ${maxEventGroups} are read`,
      );
    }
    budget.share(Math.max(groups.length, 1));
    groups.forEach(({ group, plans }, index) => {
      this.#waiting.push(new RecordCursor(context, group, plans, index));
    });
  }

  get position(): number {
    const { size, bytesRead } = this.#file;
    return this.#isOver ? size : Math.min(bytesRead, size);
  }

  get account(): TraceStats {
    return this.#account;
  }

  read(batch: TraceBatch): boolean {
    batch.clear();
    for (let left = recordsPerRead; left > 0 && !batch.isFull; left--) {
      if (this.#waiting.length > 0) {
        this.#advance(this.#waiting.pop() as RecordCursor);
        continue;
      }
      const cursor = this.#heap.pop();
      if (!cursor) {
        this.#isOver = true;
        break;
      }
      this.#take(cursor, batch);
      this.#waiting.push(cursor);
    }
    this.#account.take(batch);
    return !this.#isOver || batch.count > 0;
  }

  attachments(): readonly TraceAttachment[] {
    const kept = readAttachmentBytes(this.#file, this.#attachments);
    for (let left = this.#attachments.length - kept.length; left > 0; left--) {
      this.#account.skip('attachment');
    }
    return kept;
  }

  /** Plans by record id; undefined if no group has events. */
  #plansOf(group: DataGroupInfo): Map<number, GroupPlan> | undefined {
    const { recordIdBytes, groups, at } = group;
    if (recordIdBytes === 0 && groups.length > 1) {
      refuseMf4(
        'wrong_record_id',
        `The data group at ${at} has ${groups.length} groups but no record ids`,
        { at },
      );
    }
    const plans = new Map<number, GroupPlan>();
    let hasEvents = false;
    for (const info of groups) {
      const plan = planGroup(info);
      if (typeof plan === 'string') {
        this.#account.error(
          info.at,
          `The group ${info.name || info.recordId} is not read: ${plan}`,
        );
        if (recordIdBytes === 0) continue;
        plans.set(info.recordId, skippedPlan(info, 'skipped', 'signal_group'));
        continue;
      }
      if (plan.skip === 'signal_group') this.#account.skip('signal_group');
      else if (plan.kind !== 'variable') hasEvents = true;
      if (!genericName.test(info.sourceName)) this.#naming.add(plan);
      if (recordIdBytes === 0 && plan.recordBytes === 0) continue;
      plans.set(recordIdBytes === 0 ? 0 : info.recordId, plan);
    }
    return hasEvents && plans.size > 0 ? plans : undefined;
  }

  #advance(cursor: RecordCursor): void {
    const next = cursor.advance();
    if (next === step.event) this.#heap.push(cursor);
    else if (next === step.paused) this.#waiting.push(cursor);
  }

  #take(cursor: RecordCursor, batch: TraceBatch): void {
    this.#account.markErrors(batch);
    if (!cursor.load()) return;
    const { plan } = cursor;
    if (plan.kind === 'remark') {
      this.#takeRemark(cursor, batch);
      return;
    }
    switch (decodeRecord(cursor, batch)) {
      case outcome.event:
        if (this.#naming.has(plan)) this.#nameChannel(plan, batch);
        batch.timeNs[batch.count] = cursor.timeNs;
        batch.count += 1;
        break;
      case outcome.invalid:
        this.#account.skip('invalid');
        break;
      case outcome.noData:
        this.#takeMissingData(cursor);
        break;
      case outcome.tooLong:
        this.#account.error(cursor.fileOffset, 'A frame has an invalid length');
    }
  }

  #takeMissingData(cursor: RecordCursor): void {
    if (cursor.isCut) this.#account.truncated = true;
    else this.#account.error(cursor.fileOffset, 'The data of a frame are missing');
  }

  #takeRemark({ bytes, at, timeNs }: RecordCursor, batch: TraceBatch): void {
    const note = this.#remarks.take(bytes, at);
    if (note === undefined) return;
    const missed = missedBy(note);
    if (missed === undefined) this.#account.skip('comment');
    else {
      batch.addGap(timeNs, missed);
      this.#account.gap(missed);
    }
  }

  /** A source with a name of its own names the channel of its first event. */
  #nameChannel(plan: GroupPlan, batch: TraceBatch): void {
    this.#naming.delete(plan);
    const row = batch.count;
    const key = channelKey(batch.channel[row] as number, batch.bus[row] as number);
    if (!this.channelNames.has(key)) this.channelNames.set(key, plan.info.sourceName);
  }
}

export const readMf4: OpenTrace = (source) => new Mf4Reader(source);
