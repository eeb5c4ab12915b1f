import { type Static, Type } from 'typebox';
import type { DurationSummary } from '../durations/duration-histogram.ts';
import { counted } from '../schema/schemas.ts';

const durationFields = {
  count: counted('Number of measurements'),
  p50: counted('Median'),
  p99: counted('99th percentile'),
  max: counted('Maximum'),
};

export const DurationRecord = Type.Object(durationFields);
export type DurationRecord = Static<typeof DurationRecord>;

const { max, ...smaller } = durationFields;
export const FineDurationRecord = Type.Object({
  ...smaller,
  p999: counted('99.9th percentile'),
  max,
});
export type FineDurationRecord = Static<typeof FineDurationRecord>;

export const durationRecord = ({
  count,
  p50Us,
  p99Us,
  maxUs,
}: DurationSummary): DurationRecord => ({ count, p50: p50Us, p99: p99Us, max: maxUs });

export const fineDurationRecord = (summary: DurationSummary): FineDurationRecord => {
  const { max, ...smaller } = durationRecord(summary);
  return { ...smaller, p999: summary.p999Us, max };
};
