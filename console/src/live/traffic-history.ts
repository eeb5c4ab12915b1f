import type { ChannelTraffic } from '../api/client.ts';

export const shownSeconds = 60;
const secondUs = 1_000_000;

export type TrafficRow = ChannelTraffic;

/** A channel that was opened again starts without history. */
const keyOf = ({ selector, opened_at_us }: ChannelTraffic): string => `${selector}@${opened_at_us}`;

const newestOf = (rows: readonly TrafficRow[]): number =>
  Math.max(0, ...rows.map(({ seconds }) => seconds.at(-1)?.at_us ?? 0));

export const withTraffic = (
  known: readonly TrafficRow[],
  reported: readonly ChannelTraffic[],
): readonly TrafficRow[] => {
  const before = new Map(known.map((row) => [keyOf(row), row.seconds]));
  const rows = reported.map((row) => {
    const seconds = before.get(keyOf(row)) ?? [];
    const lastUs = seconds.at(-1)?.at_us ?? 0;
    return { ...row, seconds: [...seconds, ...row.seconds.filter(({ at_us }) => at_us > lastUs)] };
  });
  const oldestUs = newestOf(rows) - shownSeconds * secondUs;
  return rows.map((row) => ({
    ...row,
    seconds: row.seconds.filter(({ at_us }) => at_us > oldestUs),
  }));
};

/** One value per second of the last minute, newest last; NaN if unknown. */
export const minuteOf = (
  figure: 'rx_rate_fps' | 'tx_rate_fps' | 'bus_load_percent',
  row: TrafficRow,
  rows: readonly TrafficRow[],
): readonly number[] => {
  const newestUs = newestOf(rows);
  const slots = Array.from({ length: shownSeconds }, () => Number.NaN);
  for (const second of row.seconds) {
    const slot = shownSeconds - 1 - Math.round((newestUs - second.at_us) / secondUs);
    if (slot >= 0) slots[slot] = second[figure];
  }
  return slots;
};

const scales = [5, 10, 25, 50, 100];

export const loadScale = (rows: readonly TrafficRow[]): number => {
  const loads = rows.flatMap(({ seconds }) => seconds.map((second) => second.bus_load_percent));
  const highest = Math.max(0, ...loads);
  return scales.find((scale) => highest <= scale) ?? 100;
};
