import { maxFdLength } from '../../../src/frame/dlc.ts';
import type { ErrorRecord } from '../api/api-error.ts';
import { type RowView, rowsPerTurn } from './chunk-view.ts';
import type { FindContext, FoundRows } from './find-rows.ts';
import { droppedKind, type FrameChunk, gapKind } from './frame-chunk.ts';
import type { RowTest } from './frame-store.ts';
import { hasData, type IdPayloads } from './id-report.ts';

/** All kept rows, and which of them are shown. */
export interface SearchedRows {
  readonly view: RowView;
  readonly isShown: RowTest | null;
  readonly release: () => void;
}

export interface SearchQuestion {
  /** A condition; null for frames with a wrong checksum. */
  readonly text: string | null;
  /** Serial of the row where the search begins; null for either end. */
  readonly from: number | null;
  readonly by: 1 | -1;
}

export interface SearchRefusal extends ErrorRecord {
  readonly details: Readonly<Record<string, unknown>>;
}

export interface SearchResult extends Pick<FoundRows, 'checked'> {
  readonly text: string | null;
  /** Serial of the next row; null without one. */
  readonly serial: number | null;
  /** Its number among the rows that were found, from 1; 0 without one. */
  readonly number: number;
  readonly count: number;
  /** Rows that the filter hides. */
  readonly hidden: number;
  readonly error: SearchRefusal | null;
}

/** The frames of each ID, among which checksums are detected. */
export interface SearchedIds {
  payloads(limit: number): readonly IdPayloads[];
  /** Serial of the ID of a frame; negative without one. */
  serialAt(chunk: FrameChunk, row: number): number;
}

interface IdChecksum {
  readonly length: number;
  readonly isRight: (data: Uint8Array, from: number) => boolean;
}

/** Finds the rows whose checksum does not fit, as those of most other frames of their ID do. */
const findChecksums = async (
  ids: SearchedIds,
  { view, isShown }: SearchedRows,
  yieldToEvents: () => Promise<void>,
): Promise<FoundRows> => {
  const { detectChecksum, searchedFrames } = await import('../analysis/detect-fields.ts');
  const checksums = new Map<number, IdChecksum>();
  const rules = new Set<string>();
  for (const { serial, ...payloads } of ids.payloads(searchedFrames)) {
    const found = detectChecksum(payloads);
    if (found) {
      checksums.set(serial, { length: payloads.length, isRight: found.isRight });
      rules.add(found.field.rule);
    }
    await yieldToEvents();
  }
  const serials: number[] = [];
  let hidden = 0;
  let read = 0;
  for (const { chunk, row } of checksums.size > 0 ? view.unfiltered() : []) {
    read++;
    if (read % rowsPerTurn === 0) await yieldToEvents();
    const kind = chunk.kind[row];
    if (kind === gapKind || kind === droppedKind || !hasData(chunk, row)) continue;
    const checksum = checksums.get(ids.serialAt(chunk, row));
    if (checksum?.length !== chunk.length[row]) continue;
    if (checksum === undefined || checksum.isRight(chunk.payload, row * maxFdLength)) continue;
    if (isShown === null || isShown(chunk, row)) serials.push(chunk.serial[row] as number);
    else hidden++;
  }
  const checked = { ids: checksums.size, rules: [...rules] };
  return { serials: Float64Array.from(serials), hidden, checked };
};

const nextOf = ({ serials }: FoundRows, { from, by }: SearchQuestion): number => {
  if (by > 0) return serials.findIndex((serial) => from === null || serial > from);
  return serials.findLastIndex((serial) => from === null || serial < from);
};

const refusalOf = (thrown: unknown): SearchRefusal => {
  const { code = 'worker_missing', message, details = {} } = thrown as Partial<SearchRefusal>;
  return { code, message: message ?? '', details, retryable: false };
};

/** Finds rows by a condition. Rows that did not change are evaluated once. */
export class RowSearch {
  #last: {
    readonly text: string | null;
    readonly of: readonly unknown[];
    readonly found: FoundRows;
  } | null = null;

  async find(
    question: SearchQuestion,
    rows: SearchedRows,
    ids: SearchedIds,
    context: FindContext,
    yieldToEvents: () => Promise<void>,
  ): Promise<SearchResult> {
    const { text } = question;
    const { view, isShown, release } = rows;
    const of = [...view.chunks, view.rows, isShown, context];
    const last = this.#last;
    const isSame =
      last?.text === text &&
      last.of.length === of.length &&
      last.of.every((each, at) => each === of[at]);
    try {
      const found = isSame
        ? last.found
        : await this.#search(text, rows, ids, context, yieldToEvents);
      this.#last = { text, of, found };
      const at = nextOf(found, question);
      const { hidden, serials, checked } = found;
      return {
        ...{ text, number: at + 1, count: serials.length, hidden, checked, error: null },
        serial: serials[at] ?? null,
      };
    } catch (thrown) {
      const none = { serial: null, number: 0, count: 0, hidden: 0, checked: null };
      return { text, ...none, error: refusalOf(thrown) };
    } finally {
      release();
    }
  }

  /** Serials of the rows that were found last. */
  get serials(): Float64Array {
    return this.#last?.found.serials ?? new Float64Array(0);
  }

  /** What both kinds of search need is a chunk of its own, which is fetched for the first one. */
  async #search(
    text: string | null,
    rows: SearchedRows,
    ids: SearchedIds,
    context: FindContext,
    yieldToEvents: () => Promise<void>,
  ): Promise<FoundRows> {
    if (text === null) {
      return findChecksums(ids, rows, yieldToEvents);
    }
    const { findRows } = await import('./find-rows.ts');
    return findRows(text, context, rows.view.unfiltered(), rows.isShown, yieldToEvents);
  }
}
