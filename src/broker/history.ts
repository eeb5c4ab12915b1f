import { BusbarError } from '../base/errors/busbar-error.ts';
import type { MergedReader } from './merged-reader.ts';
import type { RecordVisitor } from './reader.ts';
import { readEventId } from './record.ts';
import type { Staging } from './staging.ts';
import type { WindowBounds } from './window.ts';

/**
 * Takes one record of a page, valid during the call only. Answers whether it took it: false means
 * that there was no room, so the page ends before this record and the next one begins with it.
 */
export type PageVisitor = (staging: Staging, offset: number) => boolean;

/** Where a page has ended. */
export interface HistoryPage {
  /**
   * Ask for the next page from here. The last event taken; if there was none to take, the id up to
   * which there is nothing, so that whoever asks again and again never falls behind.
   */
  readonly position: number;
  readonly bounds: WindowBounds;
}

export const cursorExpired = ({ oldestAvailable, newestAvailable }: WindowBounds): BusbarError =>
  new BusbarError('cursor_expired', {
    details: { oldest_available: oldestAvailable, newest_available: newestAvailable },
  });

/** Gives the events behind an id in order, no more than `limit`. The reader must stop at gaps. */
export const readPage = (
  reader: MergedReader,
  after: number,
  limit: number,
  visitor: PageVisitor,
): HistoryPage => {
  const page = new Page(visitor);
  do {
    const { expired, position } = reader.seek(after);
    if (expired) throw cursorExpired(reader.window.bounds());
    page.position = position;
    reader.pass(page, limit);
    // Overwritten before the first record could be copied: the cursor has expired just now, or,
    // where the oldest was asked for, that is another one now.
  } while (page.isEmpty && reader.hasLost);
  const position = page.isEmpty && !page.isFull ? reader.position : page.position;
  return { position: Math.max(after, position), bounds: reader.window.bounds() };
};

class Page implements RecordVisitor {
  readonly #visitor: PageVisitor;
  position = 0;
  isEmpty = true;
  isFull = false;

  constructor(visitor: PageVisitor) {
    this.#visitor = visitor;
  }

  record(staging: Staging, offset: number): boolean {
    this.isFull = !this.#visitor(staging, offset);
    if (this.isFull) return false;
    this.isEmpty = false;
    this.position = readEventId(staging.view, offset);
    return true;
  }

  gap(): void {}
}
