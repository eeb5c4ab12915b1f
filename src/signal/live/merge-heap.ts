import type { GroupCursor } from './group-cursor.ts';

/** Group cursors in a binary heap: the one whose next frame has the smallest sequence is on top. */
export class MergeHeap {
  readonly #cursors: GroupCursor[] = [];

  get top(): GroupCursor | undefined {
    return this.#cursors[0];
  }

  clear(): void {
    this.#cursors.length = 0;
  }

  add(cursor: GroupCursor): void {
    const cursors = this.#cursors;
    let at = cursors.push(cursor) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = cursors[parent] as GroupCursor;
      if (above.head <= cursor.head) break;
      cursors[at] = above;
      at = parent;
    }
    cursors[at] = cursor;
  }

  /** The cursor on top has gone on: it finds its place again, or leaves when it is past the end. */
  settle(end: number): void {
    const cursors = this.#cursors;
    let moving = cursors[0];
    if (moving === undefined) return;
    if (moving.head >= end) {
      moving = cursors.pop() as GroupCursor;
      if (cursors.length === 0) return;
    }
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= cursors.length) break;
      const right = cursors[child + 1];
      if (right !== undefined && right.head < (cursors[child] as GroupCursor).head) child++;
      const smaller = cursors[child] as GroupCursor;
      if (moving.head <= smaller.head) break;
      cursors[at] = smaller;
      at = child;
    }
    cursors[at] = moving;
  }
}
