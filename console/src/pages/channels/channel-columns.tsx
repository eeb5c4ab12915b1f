import type { Channel } from '../../api/client.ts';
import { formatCount, formatRate } from '../../format/figures.ts';
import { shownSeconds } from '../../live/traffic-history.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import type { ChannelReading } from './channel-readings.ts';
import { shortRate } from './timing-draft.ts';

export const busNames: Readonly<Record<Channel['bus'], string>> = {
  can: 'CAN',
  canfd: 'CAN FD',
  lin: 'LIN',
};

const ratesOf = ({ bitrate, data_bitrate }: Channel): string =>
  [bitrate, data_bitrate]
    .filter((rate) => rate !== null)
    .map(shortRate)
    .join(' / ');

const nothing = '–';

const Figure = (props: { text: string; trend: readonly number[]; top?: number }) => (
  <span class="figure">
    <Sparkline
      values={props.trend}
      capacity={shownSeconds}
      {...(props.top === undefined ? {} : { top: props.top })}
    />
    <span>{props.text}</span>
  </span>
);

const rate = (stats: ChannelReading['stats'], key: 'rx_rate_fps' | 'tx_rate_fps'): string =>
  stats ? formatRate(stats[key]) : nothing;

const load = ({ stats }: ChannelReading): string =>
  stats ? `${stats.bus_load_percent.toFixed(1)} %` : nothing;

const loadTone = ({ stats }: ChannelReading): string | undefined => {
  const percent = stats?.bus_load_percent ?? 0;
  if (percent < 60) return undefined;
  return percent < 85 ? 'warn' : 'bad';
};

/** The error state of the CAN controller; LIN has none. */
const busStateOf = ({ stats, channel }: ChannelReading) =>
  stats && channel.bus !== 'lin' ? stats.bus_state : null;

const errorCounters = ({ stats, channel }: ChannelReading): string =>
  stats && channel.bus !== 'lin' ? `${stats.tx_error_count} / ${stats.rx_error_count}` : nothing;

const retained = ({ stats }: ChannelReading): string =>
  stats ? `${formatCount(stats.broker.retained)} / ${formatCount(stats.broker.capacity)}` : nothing;

/** Behind by more than this part of what is kept, a consumer is about to lose events. */
const worryingLag = 0.5;

const lag = ({ stats }: ChannelReading): number =>
  Math.max(0, ...(stats?.broker.consumers.map((consumer) => consumer.lag) ?? []));

const isWorrying = (reading: ChannelReading): boolean =>
  lag(reading) > worryingLag * (reading.stats?.broker.capacity ?? Number.POSITIVE_INFINITY);

/** The channels at a glance: where, how, in what state, how busy. */
export const channelColumns: readonly Column<ChannelReading>[] = [
  {
    id: 'channel',
    title: 'Channel',
    width: 196,
    least: 150,
    grows: true,
    text: ({ channel }) => channel.selector + (channel.name === null ? '' : ` ${channel.name}`),
    render: ({ channel }) => (
      <>
        <code>{channel.selector}</code> <span class="quiet">{channel.name}</span>
      </>
    ),
  },
  {
    id: 'bus',
    title: 'Bus',
    width: 68,
    spare: -2,
    grows: true,
    text: ({ channel }) => busNames[channel.bus],
  },
  {
    id: 'rates',
    title: 'Bit/s',
    width: 88,
    spare: 0,
    grows: true,
    text: ({ channel }) => ratesOf(channel),
  },
  {
    id: 'mode',
    title: 'Mode',
    width: 76,
    grows: true,
    spare: 1,
    text: ({ channel }) => channel.mode.replaceAll('_', ' '),
  },
  {
    id: 'state',
    title: 'State',
    width: 76,
    grows: true,
    text: ({ channel }) => channel.state,
    render: ({ channel }) => <StateMark state={channel.state} />,
  },
  {
    id: 'bus-state',
    title: 'Bus state',
    width: 112,
    spare: -3,
    grows: true,
    text: (reading) => busStateOf(reading) ?? nothing,
    render: (reading) => {
      const state = busStateOf(reading);
      return state === null ? nothing : <StateMark state={state} />;
    },
  },
  {
    id: 'rx',
    title: 'Rx /s',
    width: 116,
    least: 76,
    grows: true,
    align: 'end',
    text: ({ stats }) => rate(stats, 'rx_rate_fps'),
    render: ({ stats, trends }) => <Figure text={rate(stats, 'rx_rate_fps')} trend={trends.rx} />,
  },
  {
    id: 'tx',
    title: 'Tx /s',
    width: 116,
    least: 76,
    grows: true,
    align: 'end',
    text: ({ stats }) => rate(stats, 'tx_rate_fps'),
    render: ({ stats, trends }) => <Figure text={rate(stats, 'tx_rate_fps')} trend={trends.tx} />,
  },
  {
    id: 'load',
    title: 'Bus load',
    width: 124,
    least: 84,
    grows: true,
    align: 'end',
    text: load,
    render: (reading) => (
      <span data-tone={loadTone(reading)}>
        <Figure text={load(reading)} trend={reading.trends.load} top={100} />
      </span>
    ),
  },
  { id: 'counters', title: 'TEC / REC', width: 84, align: 'end', spare: 2, text: errorCounters },
  { id: 'retained', title: 'Retained', width: 116, align: 'end', spare: 3, text: retained },
  {
    id: 'lag',
    title: 'Lag',
    width: 56,
    spare: -1,
    align: 'end',
    text: (reading) => formatCount(lag(reading)),
    render: (reading) => (
      <span data-tone={isWorrying(reading) ? 'warn' : undefined}>{formatCount(lag(reading))}</span>
    ),
  },
];
