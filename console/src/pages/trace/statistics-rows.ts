import { csvCell } from '../../../../src/base/csv/csv-cell.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import type { Channel } from '../../api/client.ts';
import { directionText, idText, kindText } from '../../trace-core/frame-text.ts';
import type { IdFigures, StatisticsReport } from '../../trace-core/id-report.ts';
import type { FrameBits } from '../../trace-core/id-statistics.ts';

export interface StatisticsRow extends IdFigures {
  readonly channelName: string;
  readonly name: string;
  /** Percent of the time; null if a bit rate is not known. */
  readonly load: number | null;
  /** Percent of the bus time of all IDs of its channel; null if a bit rate is not known. */
  readonly share: number | null;
}

type Rates = Pick<Channel, 'slot' | 'bitrate' | 'data_bitrate'>;

interface Texts {
  readonly channelName: (id: IdFigures) => string;
  readonly messageName: (id: IdFigures) => string | null;
}

/** Bus time in microseconds. */
const busyUs = ({ nominalBits, dataBits }: FrameBits, rates: Rates | undefined): number | null => {
  if (!rates || (dataBits > 0 && rates.data_bitrate === null)) return null;
  const dataUs = dataBits === 0 ? 0 : (dataBits * 1e6) / (rates.data_bitrate as number);
  return (nominalBits * 1e6) / rates.bitrate + dataUs;
};

/** Without bit rates, the share of bits is exact as long as all have the same rate. */
const trafficShare = (
  one: FrameBits,
  all: FrameBits | undefined,
  rates: Rates | undefined,
): number | null => {
  if (!all) return null;
  const [own, sum] = [busyUs(one, rates), busyUs(all, rates)];
  if (own !== null && sum !== null) return sum === 0 ? 0 : (100 * own) / sum;
  return all.dataBits > 0 ? null : (100 * one.nominalBits) / all.nominalBits;
};

export const statisticsRows = (
  { ids, traffic, observedUs }: StatisticsReport,
  channels: readonly Rates[],
  { channelName, messageName }: Texts,
): readonly StatisticsRow[] =>
  ids.map((id) => {
    const rates = channels.find(({ slot }) => slot === id.channel);
    const busy = busyUs(id, rates);
    return {
      ...id,
      channelName: channelName(id),
      name: messageName(id) ?? '',
      load: busy === null || observedUs <= 0 ? null : (100 * busy) / observedUs,
      share: trafficShare(id, traffic.get(id.channel), rates),
    };
  });

/** A column of the CSV file: its name, and the cell of a row. */
const csvColumns: readonly (readonly [string, (row: StatisticsRow) => unknown])[] = [
  ['channel', ({ channelName }) => channelName],
  ['direction', directionText],
  ['id', idText],
  ['extended', ({ flags }) => (flags & frameFlag.extended) !== 0],
  ['name', ({ name }) => (name === '' ? null : name)],
  ['type', kindText],
  ['frames', ({ count }) => count],
  ['cycle_min_us', ({ cycle }) => cycle?.minUs],
  ['cycle_mean_us', ({ cycle }) => cycle && Math.round(cycle.meanUs)],
  ['cycle_p99_us', ({ cycle }) => cycle?.p99Us],
  ['cycle_max_us', ({ cycle }) => cycle?.maxUs],
  ['jitter_us', ({ cycle }) => cycle && Math.round(cycle.jitterUs)],
  ['lengths', ({ lengths }) => lengths.join(' ')],
  ['changes', ({ changes }) => changes],
  ['bus_load_percent', ({ load }) => load?.toFixed(4)],
  ['traffic_share_percent', ({ share }) => share?.toFixed(4)],
];

export const statisticsCsv = (rows: readonly StatisticsRow[]): string =>
  [
    csvColumns.map(([name]) => name),
    ...rows.map((row) => csvColumns.map(([, cell]) => csvCell(cell(row)))),
  ]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
