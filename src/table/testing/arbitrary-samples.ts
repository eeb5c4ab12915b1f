import fc from 'fast-check';
import { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';

export interface Sample {
  readonly timeUs: number;
  readonly row: number;
  readonly of: number;
  readonly scaled: number;
  /** Value if `scaled` is NaN. */
  readonly text: string | null;
  readonly label: number;
}

export interface Samples {
  readonly series: readonly Series[];
  readonly samples: readonly Sample[];
}

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('Speed', 'a,b', 'say "hi"', 'line\nbreak', 'Größe', '°C', '轮速'),
);

const arbitrarySeries = (column: number): fc.Arbitrary<Series> =>
  fc.record({
    channel: fc.constantFrom('1', '2', 'L1'),
    message: name,
    signal: name,
    unit: fc.oneof(fc.constant(''), name),
    labels: fc.array(name, { maxLength: 3 }),
    isText: fc.boolean(),
    places: fc.integer({ min: 0, max: 22 }),
    column: fc.constant(column),
  });

const limit = 999_999_999_999_999;
const scaled = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  fc.integer({ min: -limit, max: limit }),
);
const longText = fc.oneof(
  fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }).map(String),
  fc.constantFrom('18446744073709551615', '0.1', '-1.5', '3.00000000000000000000000000001'),
  fc.constant(null),
);

/** Samples of some series, several of them with the same time and row. */
export const arbitrarySamples: fc.Arbitrary<Samples> = fc
  .integer({ min: 1, max: 6 })
  .chain((count) =>
    fc.tuple(...Array.from({ length: count }, (_, column) => arbitrarySeries(column))),
  )
  .chain((series) =>
    fc
      .array(
        fc.tuple(
          fc.integer({ min: -5_000_000, max: 90_000_000 }),
          fc.subarray([...series.keys()], { minLength: 1 }),
          fc.array(fc.tuple(fc.option(scaled), longText, fc.nat({ max: 3 })), {
            minLength: 6,
            maxLength: 6,
          }),
        ),
        { maxLength: 60 },
      )
      .map((rows) => {
        let timeUs = 1_767_225_600_000_000;
        const samples = rows.flatMap(([stepUs, members, values], row) => {
          timeUs += stepUs;
          return members.map((of): Sample => {
            const [number, text, label] = values[of] as [number | null, string | null, number];
            const value = (series[of] as Series).isText ? null : number;
            return {
              timeUs,
              row,
              of,
              scaled: value ?? Number.NaN,
              text: value === null ? text : null,
              label: Math.min(label, (series[of] as Series).labels.length),
            };
          });
        });
        return { series, samples };
      }),
  );

export const batchOf = ({ series, samples }: Samples): SampleBatch => {
  const batch = new SampleBatch(Math.max(1, samples.length), series);
  for (const { timeUs, row, of, ...value } of samples) batch.append(timeUs, row, of, value);
  return batch;
};
