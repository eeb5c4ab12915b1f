import type { GatewayEvents } from '../api/client.ts';

export type WatchEvent = Exclude<keyof GatewayEvents, 'end'>;
type ListEvent = Exclude<WatchEvent, 'status'>;

export interface WatchPiece {
  readonly event: WatchEvent;
  readonly data: string;
}

const keyFields = {
  signals: 'id',
  tasks: 'id',
  faults: 'id',
  fault_events: 'sequence',
  observed: 'first',
} as const satisfies Record<ListEvent, string>;

type Row = Readonly<Record<string, unknown>>;

/** The service stores the same number of fault events. */
const keptFaultEvents = 1024;

const rowsPerBatch = 250;

const dropOldest = (rows: Map<unknown, Row>, kept: number): void => {
  for (const key of rows.keys()) {
    if (rows.size <= kept) return;
    rows.delete(key);
  }
};

const isList = (event: string): event is ListEvent => Object.hasOwn(keyFields, event);

export const isWatchEvent = (event: string): event is WatchEvent =>
  event === 'status' || isList(event);

/**
 * State received from the stream of an instance, for readers that join later or were too slow.
 * Records keep their first order.
 */
export class WatchedState {
  #status: string | null = null;
  readonly #rows: Readonly<Record<ListEvent, Map<unknown, Row>>> = {
    signals: new Map(),
    tasks: new Map(),
    faults: new Map(),
    fault_events: new Map(),
    observed: new Map(),
  };

  take({ event, data }: WatchPiece): void {
    if (!isList(event)) {
      this.#status = data;
      return;
    }
    const rows = this.#rows[event];
    const list = (JSON.parse(data) as Record<string, readonly Row[]>)[event] ?? [];
    for (const row of list) rows.set(row[keyFields[event]], row);
    if (event === 'fault_events') dropOldest(rows, keptFaultEvents);
  }

  *pieces(): Generator<WatchPiece> {
    if (this.#status !== null) yield { event: 'status', data: this.#status };
    for (const event of Object.keys(keyFields) as ListEvent[]) {
      const rows = [...this.#rows[event].values()];
      for (let first = 0; first < rows.length; first += rowsPerBatch) {
        const some = rows.slice(first, first + rowsPerBatch);
        yield { event, data: JSON.stringify({ [event]: some }) };
      }
    }
  }
}
