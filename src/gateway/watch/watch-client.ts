import type { ChangeTracker } from '../image/change-tracker.ts';
import type { GatewayInstance, GatewaySignal } from '../instances/instance-record.ts';
import type { InstanceView } from '../instances/instance-view.ts';
import type { Changes } from './record-changes.ts';
import type { WatchOutlet } from './watch-outlet.ts';
import type { WatchPart } from './watch-record.ts';

/** Portions that are made at a stretch: other clients wait meanwhile. */
const portionsAtOnce = 8;

/** Signals that are read at one moment. */
const signalsAtOnce = 64;

/** Characters of records from which on a portion takes no more. */
const fullPortion = 32 * 1024;

/** How far a client is with the records of a part. */
interface PartPlace {
  readonly part: WatchPart;
  readonly changes: Changes;
  since: number;
  passMark: number;
  next: number;
}

/**
 * Takes one client through the signals of an instance, pass by pass: each goes over all of them once and
 * gives those that have changed since the pass before. All that it remembers is where it is.
 */
export class WatchClient {
  readonly outlet: WatchOutlet;
  readonly #tracker: ChangeTracker;
  readonly #view: InstanceView;
  #status: GatewayInstance | null;
  /** What had changed up to this mark is known to the client. */
  #since = 0;
  /** The mark at which the pass began. */
  #passMark: number;
  #next = 0;
  readonly #parts: readonly PartPlace[];
  #isClosed = false;

  constructor(
    outlet: WatchOutlet,
    tracker: ChangeTracker,
    view: InstanceView,
    status: GatewayInstance,
    parts: Readonly<Record<WatchPart, Changes>>,
  ) {
    this.outlet = outlet;
    this.#tracker = tracker;
    this.#view = view;
    this.#status = status;
    this.#passMark = tracker.mark;
    this.#parts = outlet.parts.map((part) => ({
      part,
      changes: parts[part],
      since: 0,
      passMark: 0,
      next: Number.POSITIVE_INFINITY,
    }));
  }

  /** A new status. A client that does not take it now gets it, or a later one, when it does. */
  tell(status: GatewayInstance): void {
    this.#status = status;
    this.#tellStatus();
  }

  /** Begins another pass, if the last one is over and something has changed since. */
  nextPass(): void {
    const { mark, count } = this.#tracker;
    const isUnderWay = this.#next > 0 && this.#next < count;
    if (isUnderWay || mark === this.#passMark) return;
    // One that has not given anything yet, because the client takes nothing, begins anew.
    this.#passMark = mark;
    this.#next = 0;
  }

  /** Goes on as long as the client takes it, and others need not wait too long. */
  goOn(): void {
    this.#tellStatus();
    for (let portion = 0; portion < portionsAtOnce; portion++) {
      if (this.#next >= this.#tracker.count || !this.#isReady) return;
      this.#sendPortion();
    }
  }

  /** Tells which records of its parts have changed, as far as the client takes it. */
  tellRecords(): void {
    for (const place of this.#parts) {
      const { changes } = place;
      if (place.next >= changes.count && changes.mark > place.since) {
        place.passMark = changes.mark;
        place.next = 0;
      }
      while (place.next < changes.count && this.#isReady) this.#sendRecords(place);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  get #isReady(): boolean {
    return !this.#isClosed && this.outlet.isReady;
  }

  #tellStatus(): void {
    if (this.#status === null || !this.#isReady) return;
    this.outlet.status(this.#status);
    this.#status = null;
  }

  #sendRecords(place: PartPlace): void {
    const { part, changes, since, passMark } = place;
    const texts: string[] = [];
    for (let length = 0; length < fullPortion && place.next < changes.count; ) {
      const found = changes.nextChanged(place.next, since);
      place.next = found + 1;
      if (found >= changes.count) break;
      const text = changes.textAt(found);
      texts.push(text);
      length += text.length;
    }
    if (place.next >= changes.count) {
      place.since = passMark;
      // What is added from now on belongs to the next pass.
      place.next = Number.POSITIVE_INFINITY;
    }
    if (texts.length > 0) this.outlet.records(part, texts);
  }

  #sendPortion(): void {
    const { count } = this.#tracker;
    const read = this.#entries();
    let isFull = false;
    let isEmpty = true;
    while (!isFull && this.#next < count) {
      const signal = this.#tracker.nextChanged(this.#next, this.#since);
      this.#next = signal + 1;
      if (signal === count) break;
      isEmpty = false;
      isFull = !this.outlet.signal(read(signal));
    }
    if (this.#next >= count) this.#since = this.#passMark;
    if (!isEmpty) this.outlet.flush();
  }

  /** Reads entries by their numbers, which grow: neighbours are read together. */
  #entries(): (signal: number) => GatewaySignal {
    let first = 0;
    let snapshot = this.#view.signals(0, 0);
    return (signal) => {
      if (signal >= first + snapshot.count) {
        first = signal;
        snapshot = this.#view.signals(first, signalsAtOnce);
      }
      return snapshot.entry(signal - first);
    };
  }
}
