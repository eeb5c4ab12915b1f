import { maxFdLength } from '../../../src/frame/dlc.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import type { ByIdTable } from './by-id-table.ts';
import type { RowView } from './chunk-view.ts';
import { droppedKind, type FrameChunk, gapKind } from './frame-chunk.ts';
import type { FrameRow } from './frame-row.ts';
import type { CycleFigures, FrameBits } from './id-statistics.ts';

/** An identifier of a channel and direction with the fields of its last frame. */
export type IdRow = Pick<
  FrameRow,
  | 'serial'
  | 'timestampUs'
  | 'channel'
  | 'bus'
  | 'kind'
  | 'id'
  | 'flags'
  | 'dlc'
  | 'length'
  | 'errors'
  | 'count'
>;

export interface IdFigures extends IdRow, FrameBits {
  readonly cycle: CycleFigures | null;
  readonly lengths: readonly number[];
  /** Frames whose data differ from those of the frame before. */
  readonly changes: number;
}

export interface StatisticsReport {
  readonly ids: readonly IdFigures[];
  /** Number of IDs without the filter. */
  readonly total: number;
  /** Bits of all IDs of each channel. */
  readonly traffic: ReadonlyMap<number, FrameBits>;
  readonly observedUs: number;
}

export interface IdChanges extends IdRow {
  readonly framesSinceMark: number;
  /** Without a frame before the mark. */
  readonly isNew: boolean;
  /** Start of its data in `data`; its cells in `cells` start at eight times that. */
  readonly from: number;
}

export interface ChangesReport {
  readonly ids: readonly IdChanges[];
  readonly total: number;
  /** Data of the last frames. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** A byte per bit, as of `BitChanges`. */
  readonly cells: Uint8Array<ArrayBuffer>;
  /** Changes of each bit of the selected ID. */
  readonly counts: Uint32Array | null;
  readonly markUs: number | null;
}

type Rows = Iterable<number>;

const idRow = ({ last, counts, firstSerial }: ByIdTable, row: number): IdRow => ({
  serial: firstSerial + row,
  timestampUs: last.timestampUs[row] as number,
  channel: last.channel[row] as number,
  bus: last.bus[row] as number,
  kind: last.kind[row] as number,
  id: last.id[row] as number,
  flags: last.flags[row] as number,
  dlc: last.dlc[row] as number,
  length: last.length[row] as number,
  errors: last.errors[row] as number,
  count: counts[row] as number,
});

const trafficOf = ({ last, statistics }: ByIdTable): Map<number, FrameBits> => {
  const traffic = new Map<number, FrameBits>();
  for (let row = 0; row < last.count; row++) {
    const channel = last.channel[row] as number;
    const { nominalBits, dataBits } = statistics.bitsOf(row);
    const sum = traffic.get(channel);
    traffic.set(channel, {
      nominalBits: nominalBits + (sum?.nominalBits ?? 0),
      dataBits: dataBits + (sum?.dataBits ?? 0),
    });
  }
  return traffic;
};

export const statisticsReport = (table: ByIdTable, shown: Rows): StatisticsReport => ({
  ids: Array.from(shown, (row) => ({
    ...idRow(table, row),
    ...table.statistics.bitsOf(row),
    cycle: table.statistics.cycleOf(row),
    lengths: table.statistics.lengthsOf(row),
    changes: table.statistics.changesOf(row),
  })),
  total: table.last.count,
  traffic: trafficOf(table),
  observedUs: table.observedUs,
});

export const hasData = ({ flags, length }: FrameChunk, row: number): boolean =>
  ((flags[row] as number) & frameFlag.error) === 0 && (length[row] as number) > 0;

/** Changes of the IDs whose frames have data. */
export const changesReport = (
  table: ByIdTable,
  shown: Rows,
  selected: number | null,
): ChangesReport => {
  const { last, changes, firstSerial, markUs } = table;
  const rows = Array.from(shown).filter((row) => hasData(last, row));
  const bytes = rows.reduce((sum, row) => sum + (last.length[row] as number), 0);
  const data = new Uint8Array(bytes);
  const cells = new Uint8Array(8 * bytes);
  let from = 0;
  const ids = rows.map((row) => {
    const at = from;
    const length = last.length[row] as number;
    data.set(last.payload.subarray(row * maxFdLength, row * maxFdLength + length), at);
    changes.writeCells(row, length, cells, 8 * at);
    from += length;
    const framesSinceMark = changes.framesOf(row);
    return { ...idRow(table, row), framesSinceMark, isNew: changes.isNew(row), from: at };
  });
  const wanted = ids.find(({ serial }) => serial === selected);
  return {
    ids,
    total: last.count,
    data,
    cells,
    counts: wanted ? changes.countsOf(wanted.serial - firstSerial, wanted.length) : null,
    markUs: Number.isNaN(markUs) ? null : markUs,
  };
};

/** Payloads of the length of the last frame, the oldest first, one after another in `data`. */
export interface IdPayloads {
  readonly serial: number;
  readonly data: Uint8Array;
  readonly length: number;
  readonly count: number;
}

/** The newest payloads of each ID that are kept, up to a limit. */
export const newestPayloads = (
  table: ByIdTable,
  view: RowView,
  limit: number,
): readonly IdPayloads[] => {
  const { last, firstSerial } = table;
  const frames = table.counts
    .subarray(0, last.count)
    .reduce((sum, count) => sum + Math.min(count, limit), 0);
  /** Calls `take` with each payload and how many newer ones there are, from the newest on. */
  const each = (take: (row: number, newer: number, chunk: FrameChunk, from: number) => void) => {
    const counts = new Uint32Array(last.count);
    let left = frames;
    view.eachBackwards((chunk, from) => {
      if (chunk.kind[from] === gapKind || chunk.kind[from] === droppedKind) return true;
      const row = table.rowOf(chunk, from);
      if (row < 0 || !hasData(chunk, from) || chunk.length[from] !== last.length[row]) return true;
      const newer = counts[row] as number;
      if (newer === limit) return true;
      counts[row] = newer + 1;
      take(row, newer, chunk, from);
      left--;
      return left > 0;
    });
    return counts;
  };
  const counts = each(() => {});
  const packed = Array.from(
    counts,
    (count, row) => new Uint8Array(count * (last.length[row] ?? 0)),
  );
  each((row, newer, chunk, from) => {
    const length = last.length[row] as number;
    const data = from * maxFdLength;
    const place = (counts[row] as number) - newer - 1;
    packed[row]?.set(chunk.payload.subarray(data, data + length), place * length);
  });
  return packed.flatMap((data, row) => {
    const [length, count] = [last.length[row] as number, counts[row] as number];
    return count === 0 ? [] : [{ serial: firstSerial + row, data, length, count }];
  });
};
