import type { ChannelTraffic } from '../api/client.ts';

/** Seconds that are shown. */
export const shownSeconds = 60;
const secondUs = 1_000_000;

/** A channel with what it has carried lately. */
export type TrafficRow = ChannelTraffic;

/** Opened again is another channel, whose past is not its own. */
const keyOf = ({ selector, opened_at_us }: ChannelTraffic): string => `${selector}@${opened_at_us}`;

const newestOf = (rows: readonly TrafficRow[]): number =>
  Math.max(0, ...rows.map(({ seconds }) => seconds.at(-1)?.at_us ?? 0));

/** What is known with what was told now: of the channels that are open, each second once. */
export const withTraffic = (
  known: readonly TrafficRow[],
  told: readonly ChannelTraffic[],
): readonly TrafficRow[] => {
  const before = new Map(known.map((row) => [keyOf(row), row.seconds]));
  const rows = told.map((row) => {
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

/** A figure in each second of the last minute, the newest last; NaN where nothing is known. */
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

/** What the full height stands for, in percent: the same for all channels, so that they compare. */
export const loadScale = (rows: readonly TrafficRow[]): number => {
  const loads = rows.flatMap(({ seconds }) => seconds.map((second) => second.bus_load_percent));
  const highest = Math.max(0, ...loads);
  return scales.find((scale) => highest <= scale) ?? 100;
};
