import type { Visitor } from '../base/subscription.ts';
import type { Staging } from './staging.ts';

/**
 * Receives the records of a pass. The key of a record is its offset in the staging area: 128 bytes
 * from there on, of which header and payload count.
 */
export interface RecordVisitor extends Visitor<Staging, number> {
  /** A channel's records from one source sequence to another are lost. Its next record follows. */
  gap?(channel: number, first: number, last: number): void;
}

/** A cursor into the broker, over one channel or several. */
export interface Reader {
  /** Delivers what is new, in order, but no more than `limit` records; gives how many it delivered. */
  pass(visitor: RecordVisitor, limit?: number): number;
  /** Whether anything is committed that was not delivered yet. */
  readonly hasBacklog: boolean;
  /** How many committed records were not delivered yet. */
  readonly lag: number;
  /** The event id up to which everything was delivered or given as lost: resume from here. */
  readonly position: number;
  /** The writers that own the rings followed, one bit each. */
  readonly writers: number;
}

/** Sees every record that a ring still holds, not only those shown to clients. */
export const wholeRing = Number.POSITIVE_INFINITY;
