import type { RingCursor } from './ring-cursor.ts';
import type { PublicWindow } from './window.ts';

/** Where a seek has ended. */
export interface SeekResult {
  /** The event id that the cursor now follows. */
  readonly position: number;
  /** The id asked for has expired: the cursor stands before the oldest event to be had instead. */
  readonly expired: boolean;
}

/** Places cursors behind an event id, or before the oldest event to be had if that is 0 or expired. */
export const seekAfter = (
  cursors: readonly RingCursor[],
  window: PublicWindow,
  after: number,
): SeekResult => {
  let expired = window.expired(after);
  let position = after === 0 || expired ? window.lost() : after;
  for (;;) {
    for (const cursor of cursors) cursor.moveTo(cursor.ring.indexAfter(position));
    const lost = window.lost();
    if (lost <= position) return { position, expired };
    // More was pushed out meanwhile, perhaps before a cursor had found its place.
    expired ||= after !== 0;
    position = lost;
  }
};
