import { cursorExpired } from '../base/errors/busbar-error.ts';
import type { EventFilter } from '../frame/event-filter.ts';
import { frm2EventId } from '../frame/frm2-codec.ts';
import type { MergedReader } from './merged-reader.ts';
import type { RecordVisitor } from './reader.ts';
import type { Staging } from './staging.ts';
import type { OlderEvents, WindowBounds } from './window.ts';

/**
 * Takes one record of a page, valid during the call only. Answers whether it took it: false means
 * that there was no room, so the page ends before this record and the next one begins with it.
 */
export type PageVisitor = (staging: Staging, offset: number) => boolean;

/** Where a page ended, and what there was to read. */
export interface PageEnd {
  /**
   * Ask for the next page from here. The last event that was looked at, wanted or not; if there was
   * none, the id up to which there is nothing, so that a client that asks again never falls behind.
   */
  readonly position: number;
  readonly bounds: WindowBounds;
  /** Channels whose own history begins before the bounds. */
  readonly older: readonly OlderEvents[];
}

export interface PageOptions {
  readonly after: number;
  /** The most events of the page. */
  readonly limit: number;
  /** Which events are wanted; left out, all of them. */
  readonly accepts?: EventFilter | undefined;
  readonly visitor: PageVisitor;
}

/** Events that one page looks at to find those that are wanted: a few milliseconds' worth. */
export const mostLookedAt = 32_768;

/** Gives the events behind an id in order, no more than `limit`. The reader must stop at gaps. */
export const readPage = (reader: MergedReader, options: PageOptions): PageEnd => {
  const { after, limit, accepts } = options;
  const page = new Page(options);
  do {
    const { expired, position } = reader.seek(after);
    if (expired) throw cursorExpired('event', after, reader.window.bounds());
    page.position = position;
    reader.pass(page, accepts ? mostLookedAt : limit);
    // Overwritten before the first record could be copied: the cursor has expired just now, or,
    // where the oldest was asked for, that is another one now.
  } while (page.isEmpty && reader.hasLost);
  const position = page.isEmpty && !page.isFull ? reader.position : page.position;
  const bounds = reader.window.bounds();
  const older = reader.window.olderThan(bounds.oldestAvailable);
  return { position: Math.max(after, position), bounds, older };
};

class Page implements RecordVisitor {
  readonly #options: PageOptions;
  /** The last event that was looked at. */
  position = 0;
  isEmpty = true;
  isFull = false;
  #taken = 0;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  record(staging: Staging, offset: number): boolean {
    const { accepts, visitor, limit } = this.#options;
    const isWanted = accepts?.(staging.view, offset) ?? true;
    this.isFull = isWanted && !visitor(staging, offset);
    if (this.isFull) return false;
    this.isEmpty = false;
    this.position = frm2EventId(staging.view, offset);
    if (isWanted) this.#taken += 1;
    return this.#taken < limit;
  }

  gap(): void {}
}
