import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placedDigits } from '../../base/decimal/decimal.ts';
import { cases } from '../../base/testing/long.ts';
import type { Series } from '../rows/series.ts';
import type { TableFormatParts, TableShape } from '../table-format.ts';
import { arbitrarySamples, batchOf, type Sample, type Samples } from './arbitrary-samples.ts';

export interface LongRow {
  readonly time: string;
  readonly channel: string;
  readonly message: string;
  readonly signal: string;
  readonly value: string | null;
  readonly number: number | null;
  readonly unit: string;
  readonly label: string | null;
}

/** A wide row: its time and channel, and the text of each column that has a value. */
export interface WideRow {
  readonly time: string;
  readonly channel: string;
  readonly cells: Readonly<Record<string, string>>;
}

export interface TableFormatUnderTest {
  readonly name: string;
  readonly parts: TableFormatParts;
  readonly readLong: (file: Uint8Array) => readonly LongRow[];
  readonly readWide: (file: Uint8Array) => readonly WideRow[];
  /** Empty texts of columns that are never null look like no text. */
  readonly emptyLabelIsNull?: boolean;
}

const join = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

export const writeTable = (
  { encoder, assembler }: TableFormatParts,
  shape: TableShape,
  portions: readonly Samples[],
): Uint8Array => {
  const [encode, file] = [encoder(shape), assembler(shape)];
  const pieces: Uint8Array[] = [file.begin()];
  for (const samples of portions) {
    if (samples.samples.length === 0) continue;
    const { bytes, rows, chunks } = encode.encode(batchOf(samples));
    file.add({ length: bytes.length, rows, chunks });
    pieces.push(bytes.slice());
  }
  return join([...pieces, file.end()]);
};

const timeOf = (timeUs: number): string => {
  const rest = ((timeUs % 1e6) + 1e6) % 1e6;
  const second = new Date((timeUs - rest) / 1000).toISOString().slice(0, 19);
  return `${second}.${String(rest).padStart(6, '0')}Z`;
};

const textOf = ({ scaled, text }: Sample, { places }: Series): string | null =>
  Number.isNaN(scaled) ? text : placedDigits(scaled < 0, String(Math.abs(scaled)), places);

const finite = (text: string | null): number | null =>
  text === null || !Number.isFinite(Number(text)) ? null : Number(text);

const longRows = ({ series, samples }: Samples): LongRow[] =>
  samples.map((sample) => {
    const of = series[sample.of] as Series;
    const value = textOf(sample, of);
    return {
      time: timeOf(sample.timeUs),
      channel: of.channel,
      message: of.message,
      signal: of.signal,
      value,
      number: of.isText ? null : finite(value),
      unit: of.unit,
      label: sample.label === 0 ? null : (of.labels[sample.label - 1] ?? null),
    };
  });

const portionsOf = ({ series, samples }: Samples, at: number): Samples[] => {
  // A row of a wide table is never divided.
  const cut = samples.findIndex(({ row }) => row >= at);
  if (cut <= 0) return [{ series, samples }];
  return [
    { series, samples: samples.slice(0, cut) },
    { series, samples: samples.slice(cut) },
  ];
};

const runs = { numRuns: cases(15, 150), seed: 34 };

/** What every format of tables must do. Call it at the top of a test file. */
export const describeTableFormat = (format: TableFormatUnderTest): void => {
  const { name, parts, readLong, readWide } = format;

  describe(`${name}, as every table format`, () => {
    it('reads back all rows of a long table, however they were portioned', () => {
      fc.assert(
        fc.property(arbitrarySamples, fc.nat({ max: 60 }), (samples, at) => {
          const file = writeTable(parts, null, portionsOf(samples, at));
          expect(readLong(file)).toEqual(longRows(samples));
        }),
        runs,
      );
    });

    it('writes the same bytes for a portion with any other before it', () => {
      fc.assert(
        fc.property(arbitrarySamples, arbitrarySamples, (first, second) => {
          const used = parts.encoder(null);
          used.encode(batchOf(first));
          const part = used.encode(batchOf(second));
          const fresh = parts.encoder(null).encode(batchOf(second));
          expect(Buffer.from(part.bytes).equals(Buffer.from(fresh.bytes))).toBe(true);
          expect(part.chunks).toEqual(fresh.chunks);
        }),
        runs,
      );
    });

    it('reads back a wide table with a column for each signal', () => {
      const types = fc.constantFrom('double' as const, 'text' as const);
      fc.assert(
        fc.property(arbitrarySamples, types, fc.nat({ max: 60 }), (drawn, type, at) => {
          // One channel, and one message a row, as frames have.
          const series = drawn.series.map((each) => ({ ...each, channel: '1' }));
          const columns = series.map((_, column) => ({ name: `M.S${column}`, type }));
          const samples = { series, samples: drawn.samples };
          const file = writeTable(parts, { columns, hold: false }, portionsOf(samples, at));
          const rows = new Map<
            number,
            { time: string; channel: string; cells: Record<string, string> }
          >();
          for (const sample of samples.samples) {
            const { row, of } = sample;
            if (!rows.has(row))
              rows.set(row, { time: timeOf(sample.timeUs), channel: '1', cells: {} });
            const value = textOf(sample, series[of] as Series);
            if (value === null || (type === 'double' && finite(value) === null)) continue;
            const cells = (rows.get(row) as { cells: Record<string, string> }).cells;
            cells[`M.S${of}`] = type === 'double' ? String(finite(value)) : value;
          }
          const read = readWide(file).map(({ cells, ...row }) => ({
            ...row,
            cells: Object.fromEntries(
              Object.entries(cells)
                .filter(([, text]) => type === 'text' || finite(text) !== null)
                .map(([column, text]) => [column, type === 'double' ? String(finite(text)) : text]),
            ),
          }));
          expect(read).toEqual([...rows.values()]);
        }),
        runs,
      );
    });

    it('is readable without rows', () => {
      expect(readLong(writeTable(parts, null, []))).toEqual([]);
      const shape = { columns: [{ name: 'A.B', type: 'integer' as const }], hold: true };
      expect(readWide(writeTable(parts, shape, []))).toEqual([]);
    });
  });
};
