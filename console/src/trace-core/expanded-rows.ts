import type { DatabaseMessage } from '../api/client.ts';
import { activeSignals, readBits } from '../codec/signal-bits.ts';
import type { RowPosition } from './chunk-view.ts';
import { type FrameChunk, gapKind } from './frame-chunk.ts';
import { LineIndex } from './line-index.ts';
import type { Definitions, MessageName, MessageNames } from './message-names.ts';
import type { ShownRows } from './row-windows.ts';

/** Rows of a view whose signals are shown: those of some messages, but for single rows. */
export interface Expansion {
  /** Rows that differ from the others of their message. */
  readonly serials: readonly number[];
  readonly messages: readonly MessageName[];
}

/** Signals that no multiplexer switches off. */
const countSignals = (message: DatabaseMessage, chunk: FrameChunk, row: number): number => {
  const { signals } = message;
  if (signals.every(({ multiplexing }) => multiplexing === null)) return signals.length;
  const data = chunk.dataOf(row);
  return activeSignals(message, (signal) => readBits(data, signal)).length;
};

/** Counts the signal lines below rows, of which few are usually expanded. */
export class ExpandedRows {
  readonly #serials: ReadonlySet<number>;
  readonly #messages: ReadonlySet<DatabaseMessage>;
  readonly #names: MessageNames;
  readonly #definitions: Definitions;

  constructor({ serials, messages }: Expansion, names: MessageNames, definitions: Definitions) {
    this.#serials = new Set(serials);
    this.#messages = new Set(messages.flatMap((message) => definitions.of(message) ?? []));
    this.#names = names;
    this.#definitions = definitions;
  }

  linesBelow({ chunk, row }: RowPosition, serial: number): number {
    const isSingle = this.#serials.has(serial);
    if (chunk.kind[row] === gapKind || !(isSingle || this.#messages.size > 0)) return 0;
    const message = this.#definitions.ofFrame(this.#names, {
      channel: chunk.channel[row] as number,
      timestampUs: chunk.timestampUs[row] as number,
      bus: chunk.bus[row] as number,
      id: chunk.id[row] as number,
      flags: chunk.flags[row] as number,
    });
    if (message === null || isSingle === this.#messages.has(message)) return 0;
    return countSignals(message, chunk, row);
  }

  index(rows: ShownRows): LineIndex {
    const expanded: [row: number, lines: number][] = [];
    const add = (place: RowPosition, row: number): void => {
      const lines = this.linesBelow(place, rows.serialOf(place));
      if (lines > 0) expanded.push([row, lines]);
    };
    if (this.#messages.size > 0 || (this.#serials.size > 0 && !rows.isOrdered)) {
      let row = 0;
      for (const place of rows) add(place, row++);
    } else {
      for (const serial of [...this.#serials].sort((a, b) => a - b)) {
        const row = rows.rowOf(serial);
        const place = rows.at(row);
        if (place && rows.serialOf(place) === serial) add(place, row);
      }
    }
    return new LineIndex(rows.count, expanded);
  }
}
