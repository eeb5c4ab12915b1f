import type { Cursor, Visitor } from '../../base/subscription.ts';
import type { ChangeTracker } from '../image/change-tracker.ts';
import type { GatewayInstance, GatewaySignal } from '../instances/instance-record.ts';
import type { InstanceView } from '../instances/instance-view.ts';
import { isUnresponsive } from '../plugins/plugin-guard.ts';
import type { Changes } from './record-changes.ts';
import type { WatchEvent, WatchPart } from './watch-record.ts';

export type WatchItem = GatewayInstance | GatewaySignal | string;

type WatchVisitor = Visitor<WatchItem, WatchEvent>;

const signalsPerBatch = 64;

interface PartPosition {
  readonly part: WatchPart;
  readonly changes: Changes;
  since: number;
  passMark: number;
  next: number;
}

interface WatchCursorOptions {
  readonly tracker: ChangeTracker;
  readonly view: InstanceView;
  readonly status: GatewayInstance;
  readonly parts: readonly WatchPart[];
  readonly changes: Readonly<Record<WatchPart, Changes>>;
}

/**
 * Position of a client in the signals of an instance. Each pass visits all signals and delivers
 * those that changed since the previous pass.
 */
export class WatchCursor implements Cursor<WatchItem, WatchEvent> {
  readonly #tracker: ChangeTracker;
  readonly #view: InstanceView;
  status: GatewayInstance | null;
  #since = 0;
  #passMark: number;
  #next = 0;
  readonly #parts: readonly PartPosition[];

  constructor({ tracker, view, status, parts, changes }: WatchCursorOptions) {
    this.#tracker = tracker;
    this.#view = view;
    this.status = status;
    this.#passMark = tracker.mark;
    this.#parts = parts.map((part) => ({
      part,
      changes: changes[part],
      since: 0,
      passMark: 0,
      next: Number.POSITIVE_INFINITY,
    }));
  }

  follows(part: WatchPart): boolean {
    return this.#parts.some((position) => position.part === part);
  }

  nextPass(): void {
    const { mark, count } = this.#tracker;
    const isUnderWay = this.#next > 0 && this.#next < count;
    if (isUnderWay || mark === this.#passMark) return;
    this.#passMark = mark;
    this.#next = 0;
  }

  get hasBacklog(): boolean {
    if (this.status !== null || this.#next < this.#tracker.count) return true;
    return this.#parts.some(
      ({ changes, next, since }) => next < changes.count || changes.mark > since,
    );
  }

  pass(visitor: WatchVisitor, limit: number): number {
    let delivered = 0;
    const counting: WatchVisitor = {
      item: (item, event) => {
        delivered += 1;
        return visitor.item(item, event) && delivered < limit;
      },
    };
    try {
      this.#passStatus(counting) && this.#passSignals(counting) && this.#passParts(counting);
    } catch (thrown) {
      // A plugin blocks the bench thread: the next pass reads the remaining signals.
      if (!isUnresponsive(thrown)) throw thrown;
    }
    return delivered;
  }

  #passStatus(visitor: WatchVisitor): boolean {
    const { status } = this;
    this.status = null;
    return status === null || visitor.item(status, 'status');
  }

  #passSignals(visitor: WatchVisitor): boolean {
    const { count } = this.#tracker;
    const read = this.#entries();
    let hasRoom = true;
    while (hasRoom && this.#next < count) {
      const signal = this.#tracker.nextChanged(this.#next, this.#since);
      const entry = signal < count ? read(signal) : null;
      this.#next = signal + 1;
      if (this.#next >= count) this.#since = this.#passMark;
      if (entry) hasRoom = visitor.item(entry, 'signals');
    }
    return hasRoom;
  }

  #passParts(visitor: WatchVisitor): boolean {
    return this.#parts.every((position) => {
      const { changes } = position;
      if (position.next >= changes.count && changes.mark > position.since) {
        position.passMark = changes.mark;
        position.next = 0;
      }
      let hasRoom = true;
      while (hasRoom && position.next < changes.count) {
        hasRoom = this.#passRecord(position, visitor);
      }
      return hasRoom;
    });
  }

  #passRecord(position: PartPosition, visitor: WatchVisitor): boolean {
    const { part, changes, since, passMark } = position;
    const found = changes.nextChanged(position.next, since);
    const text = found < changes.count ? changes.textAt(found) : null;
    position.next = found + 1;
    if (position.next >= changes.count) {
      position.since = passMark;
      position.next = Number.POSITIVE_INFINITY;
    }
    return text === null || visitor.item(text, part);
  }

  /**
   * Returns a reader for signals with increasing numbers, which reads adjacent signals together.
   */
  #entries(): (signal: number) => GatewaySignal {
    let first = 0;
    let snapshot = this.#view.signals(0, 0);
    return (signal) => {
      if (signal >= first + snapshot.count) {
        first = signal;
        snapshot = this.#view.signals(first, signalsPerBatch);
      }
      return snapshot.entry(signal - first);
    };
  }
}
