import type { RecordCursor } from './record-cursor.ts';

const isBefore = (a: RecordCursor, b: RecordCursor): boolean => {
  if (a.timeNs !== b.timeNs) return a.timeNs < b.timeNs;
  return a.order === b.order ? a.number < b.number : a.order < b.order;
};

/** Cursors of the groups of a file; the one with the oldest event is first. */
export class CursorHeap {
  readonly #cursors: RecordCursor[] = [];

  push(cursor: RecordCursor): void {
    const cursors = this.#cursors;
    let at = cursors.length;
    cursors.push(cursor);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = cursors[parent] as RecordCursor;
      if (!isBefore(cursor, above)) break;
      cursors[at] = above;
      at = parent;
    }
    cursors[at] = cursor;
  }

  pop(): RecordCursor | undefined {
    const cursors = this.#cursors;
    const first = cursors[0];
    const last = cursors.pop();
    if (last && cursors.length > 0) this.#sink(last);
    return first;
  }

  #sink(cursor: RecordCursor): void {
    const cursors = this.#cursors;
    let at = 0;
    for (let child = 1; child < cursors.length; child = 2 * at + 1) {
      const right = child + 1;
      const isRight =
        right < cursors.length &&
        isBefore(cursors[right] as RecordCursor, cursors[child] as RecordCursor);
      const below = cursors[isRight ? right : child] as RecordCursor;
      if (!isBefore(below, cursor)) break;
      cursors[at] = below;
      at = isRight ? right : child;
    }
    cursors[at] = cursor;
  }
}
