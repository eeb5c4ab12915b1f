import { frm2EventId } from '../../frame/frm2-codec.ts';
import { frm2 } from '../../frame/frm2-layout.ts';
import type { RecordVisitor } from '../ring-cursor.ts';
import type { Staging } from '../staging.ts';
import { isWholeSample, readSourceSequence } from './sample-records.ts';

const maxErrors = 20;

/**
 * Checks every record of its channels: each must be delivered once, complete and in order, or be
 * inside a gap with the right bounds. Errors are collected.
 */
export class Ledger implements RecordVisitor {
  readonly errors: string[] = [];
  readonly ids: number[] | undefined;
  delivered = 0;
  lost = 0;
  readonly #expected = new Map<number, number>();
  readonly #isLost: (channel: number, sequence: number) => boolean;
  readonly #mayJump = new Set<number>();
  #lastId = 0;

  constructor(
    options: {
      /** Whether a record is really lost; a gap over a readable record is an error. */
      isLost?: (channel: number, sequence: number) => boolean;
      keepIds?: boolean;
    } = {},
  ) {
    this.#isLost = options.isLost ?? (() => true);
    this.ids = options.keepIds ? [] : undefined;
  }

  /** A cursor has expired: each channel may continue later than expected, once. */
  allowJump(): void {
    for (const channel of this.#expected.keys()) this.#mayJump.add(channel);
  }

  /** The sequence that must come next on a channel. */
  expect(channel: number, sequence: number): void {
    this.#expected.set(channel, sequence);
  }

  next(channel: number): number {
    return this.#expected.get(channel) ?? 1;
  }

  get accounted(): number {
    return this.delivered + this.lost;
  }

  item({ view }: Staging, offset: number): boolean {
    const id = frm2EventId(view, offset);
    const channel = view.getUint16(offset + frm2.channel);
    const sequence = readSourceSequence(view, offset);
    const expected = this.#nextOrJump(channel, sequence);
    if (!isWholeSample(view, offset)) this.error(`torn: channel ${channel}, sequence ${sequence}`);
    if (sequence !== expected) {
      this.error(`out of sequence: channel ${channel}, ${sequence} instead of ${expected}`);
    }
    if (id <= this.#lastId) this.error(`out of order: event ${id} after ${this.#lastId}`);
    this.#lastId = id;
    this.#expected.set(channel, sequence + 1);
    this.delivered++;
    this.ids?.push(id);
    return true;
  }

  gap(channel: number, first: number, last: number): void {
    const expected = this.#nextOrJump(channel, first);
    if (first !== expected || last < first) {
      this.error(`gap ${first}..${last} of channel ${channel} where ${expected} was next`);
    }
    if (!this.#isLost(channel, last)) {
      this.error(`gap ${first}..${last} of channel ${channel} takes in what is still kept`);
    }
    this.#expected.set(channel, last + 1);
    this.lost += last - first + 1;
  }

  /** If the channel may skip records, it has skipped all before this one. */
  settle(channel: number, last: number): void {
    if (!this.#mayJump.delete(channel)) return;
    this.lost += last + 1 - this.next(channel);
    this.#expected.set(channel, last + 1);
  }

  #nextOrJump(channel: number, found: number): number {
    const expected = this.next(channel);
    if (!this.#mayJump.delete(channel) || found < expected) return expected;
    this.lost += found - expected;
    return found;
  }

  error(text: string): void {
    if (this.errors.length < maxErrors) this.errors.push(text);
  }
}
