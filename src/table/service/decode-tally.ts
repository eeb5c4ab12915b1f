import type { TraceReader } from '../../trace/trace-format.ts';
import type { ChosenMessages } from '../decode/chosen-messages.ts';
import type { ChunkCounts } from '../decode/chunk-decoder.ts';
import { UnknownFrames } from '../decode/unknown-frames.ts';
import type { TraceDecoding } from '../table-records.ts';
import type { TraceChunks } from './trace-chunks.ts';

const shownUnknown = 20;
const shownOmitted = 100;

type CountFields = Pick<
  TraceDecoding,
  | 'decoded'
  | 'pdus'
  | 'not_selected'
  | 'outside'
  | 'unusable'
  | 'unknown'
  | 'unknown_ids'
  | 'most_unknown'
>;

/** Counts of all chunks of a trace. */
export class DecodeTally {
  samples = 0;
  readonly #unknown = new UnknownFrames();
  readonly #counts = { decoded: 0, pdus: 0, not_selected: 0, outside: 0, unusable: 0 };

  add(chunk: ChunkCounts): void {
    this.samples += chunk.samples;
    const counts = this.#counts;
    counts.decoded += chunk.decoded;
    counts.pdus += chunk.pdus;
    counts.not_selected += chunk.notChosen;
    counts.outside += chunk.outside;
    counts.unusable += chunk.unusable;
    this.#unknown.merge(chunk.unknown, chunk.unknownIncomplete, chunk.unknownIds);
  }

  get fields(): CountFields {
    const unknown = this.#unknown;
    return {
      ...this.#counts,
      unknown: unknown.frames,
      unknown_ids: unknown.ids,
      most_unknown: unknown.top(shownUnknown),
    };
  }
}

/** Fields that every result about a trace has. */
export const inputFieldsOf = (
  file: string,
  reader: TraceReader,
  { read, filtered }: Pick<TraceChunks, 'read' | 'filtered'>,
  { omitted }: ChosenMessages,
  counts: CountFields,
) => {
  const { skipped, gaps, missed, malformed, errors, truncated } = reader.account;
  return {
    file,
    format: reader.format,
    started_at_us: reader.startUnixUs,
    read,
    filtered,
    ...counts,
    omitted_signals: omitted.slice(0, shownOmitted),
    skipped,
    gaps,
    missed,
    malformed,
    flaws: errors,
    truncated,
  };
};
