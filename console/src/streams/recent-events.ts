/** An event of a stream that several readers share. */
export interface SharedEvent {
  readonly id: number;
  readonly type: string;
  /** As it stands in a stream of server-sent events. */
  readonly text: string;
  /** What a sample is of; null for everything that concerns all readers. */
  readonly sample: { readonly plan_id: string; readonly signal: string } | null;
}

/** The newest events of a stream, for readers that come with a cursor that is only little behind. */
export class RecentEvents {
  readonly #most: number;
  readonly #events: SharedEvent[] = [];
  /** All that came behind this id is here; null where nothing came so far. */
  #from: number | null;

  constructor(from: number | null, most = 10_000) {
    this.#from = from;
    this.#most = most;
  }

  push(event: SharedEvent): void {
    this.#from ??= event.id - 1;
    this.#events.push(event);
    if (this.#events.length < 2 * this.#most) return;
    const dropped = this.#events.splice(0, this.#events.length - this.#most);
    this.#from = dropped.at(-1)?.id ?? this.#from;
  }

  /** Whether all that came behind an id is here. */
  covers(id: number): boolean {
    return this.#from !== null && id >= this.#from;
  }

  after(id: number): readonly SharedEvent[] {
    return this.#events.slice(this.#events.findLastIndex((event) => event.id <= id) + 1);
  }
}
