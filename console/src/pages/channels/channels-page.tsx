import './channels.css';
import { useEffect } from 'preact/hooks';
import type { Channel } from '../../api/client.ts';
import { formatCount, formatRate } from '../../format/figures.ts';
import { busNames } from '../../forms/channel-selectors.ts';
import { shownSeconds } from '../../live/traffic-history.ts';
import { channels } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo, pageId, pageQuery } from '../../state/pages.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { BenchPanel } from './bench-panel.tsx';
import { takeDropped } from './channel-databases.tsx';
import { ChannelPanel } from './channel-panel.tsx';
import {
  type ChannelReading,
  openPort,
  pick,
  pickedOf,
  readings,
  task,
  useReadings,
} from './channel-readings.ts';
import { ServicePanel } from './service-panel.tsx';
import { shortRate } from './timing-draft.ts';

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

const rateColumn = (way: 'rx' | 'tx', title: string): Column<ChannelReading> => {
  const text = ({ stats }: ChannelReading): string =>
    stats ? formatRate(stats[`${way}_rate_fps`]) : nothing;
  return column(way, title, 116, text, {
    ...{ least: 76, grows: true, align: 'end' },
    render: (reading) => <Figure text={text(reading)} trend={reading.trends[way]} />,
  });
};

const load = ({ stats }: ChannelReading): string =>
  stats ? `${stats.bus_load_percent.toFixed(1)} %` : nothing;

const loadTone = ({ stats }: ChannelReading): string | undefined => {
  const percent = stats?.bus_load_percent ?? 0;
  if (percent < 60) return undefined;
  return percent < 85 ? 'warn' : 'bad';
};

/** LIN has no controller error state. */
const busStateOf = ({ stats, channel }: ChannelReading) =>
  stats && channel.bus !== 'lin' ? stats.bus_state : null;

const errorCounters = ({ stats, channel }: ChannelReading): string =>
  stats && channel.bus !== 'lin' ? `${stats.tx_error_count} / ${stats.rx_error_count}` : nothing;

const retained = ({ stats }: ChannelReading): string =>
  stats ? `${formatCount(stats.broker.retained)} / ${formatCount(stats.broker.capacity)}` : nothing;

/** A consumer that lags by more than this share of the buffer is about to lose events. */
const worryingLag = 0.5;

const lag = ({ stats }: ChannelReading): number =>
  Math.max(0, ...(stats?.broker.consumers.map((consumer) => consumer.lag) ?? []));

const isWorrying = (reading: ChannelReading): boolean =>
  lag(reading) > worryingLag * (reading.stats?.broker.capacity ?? Number.POSITIVE_INFINITY);

const channelColumns: readonly Column<ChannelReading>[] = [
  {
    ...{ id: 'channel', title: 'Channel', width: 196, least: 150, grows: true },
    text: ({ channel }) => channel.selector + (channel.name === null ? '' : ` ${channel.name}`),
    render: ({ channel }) => (
      <>
        <code>{channel.selector}</code> <span class="quiet">{channel.name}</span>
      </>
    ),
  },
  column('bus', 'Bus', 68, ({ channel }) => busNames[channel.bus], { spare: -2, grows: true }),
  column('rates', 'Bit rate', 88, ({ channel }) => ratesOf(channel), { spare: 0, grows: true }),
  column('mode', 'Mode', 76, ({ channel }) => channel.mode.replaceAll('_', ' '), {
    ...{ grows: true, spare: 1 },
  }),
  states('state', 'State', 76, ({ channel }) => channel.state, { grows: true }),
  states('bus-state', 'Bus state', 112, busStateOf, { spare: -3, grows: true }),
  rateColumn('rx', 'Rx/s'),
  rateColumn('tx', 'Tx/s'),
  column('load', 'Bus load', 124, load, {
    ...{ least: 84, grows: true, align: 'end' },
    render: (reading) => (
      <span data-tone={loadTone(reading)}>
        <Figure text={load(reading)} trend={reading.trends.load} top={100} />
      </span>
    ),
  }),
  column('counters', 'TEC / REC', 84, errorCounters, { align: 'end', spare: 2 }),
  column('retained', 'Retained', 116, retained, { align: 'end', spare: 3 }),
  column('lag', 'Lag', 56, (reading) => formatCount(lag(reading)), {
    ...{ spare: -1, align: 'end' },
    render: (reading) => (
      <span data-tone={isWorrying(reading) ? 'warn' : undefined}>{formatCount(lag(reading))}</span>
    ),
  }),
];

const Empty = () => (
  <p class="actions">
    No open channels.
    <button type="button" onClick={() => openPort()}>
      Open channel
    </button>
    <span>
      or run <code>busbar channel open SIM00001/0</code>
    </span>
  </p>
);

const ChannelsPanel = () => {
  const rows = readings.value ?? [];
  const picked = pickedOf(rows);
  return (
    <ListPanel<ChannelReading>
      name="channels"
      title="Channels"
      class="channels"
      source={channels}
      header={
        <span class="quiet" data-testid="channel-count">
          {readings.value && `${rows.length} open`}
        </span>
      }
      actions={
        <button type="button" data-testid="open-channel" onClick={() => openPort()}>
          Open channel
        </button>
      }
      columns={channelColumns}
      rows={rows}
      keyOf={({ channel }) => channel.selector}
      selected={(row) => row === picked}
      onSelect={({ channel }) => pick(channel.selector)}
      rowAttributes={({ channel }) => ({ 'data-channel': channel.selector })}
      empty={readings.value === null ? 'Waiting for the service…' : <Empty />}
    />
  );
};

const channelCommands = () => [
  {
    id: 'channel-open',
    group: 'Channel',
    title: 'Open channel',
    run: () => {
      goTo('channels');
      openPort();
    },
  },
  ...(readings.value ?? []).map(({ channel: { selector, name } }) => ({
    id: `channel-configure-${selector}`,
    group: 'Channel',
    title: `Configure ${name ?? selector}`,
    run: () => {
      goTo('channels');
      pick(selector);
      task.value = 'configure';
    },
  })),
];

const targetOf = ({ target }: Event): string | null => {
  const element = target as Element;
  const row = element.closest<HTMLElement>('tr[data-channel]');
  if (row) return row.dataset.channel ?? null;
  const picked = pickedOf(readings.peek() ?? []);
  return element.closest('[data-testid="channel"]') && picked ? picked.channel.selector : null;
};

const allowDrop = (event: DragEvent): void => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
};

/** Elsewhere the browser would leave the console to open the file. */
const drop = (event: DragEvent): void => {
  event.preventDefault();
  const selector = targetOf(event);
  const file = event.dataTransfer?.files[0];
  if (selector === null || !file) return;
  pick(selector);
  task.value = 'show';
  void takeDropped(selector, file);
};

export const ChannelsPage = () => {
  useReadings();
  useEffect(() => offerCommands(channelCommands), []);
  const named = pageId.value === 'channels' ? pageQuery.value.get('channel') : null;
  useEffect(() => {
    if (named !== null) pick(named);
  }, [pageQuery.value]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field of the panel does the same
    <div class="channels-page" onDragOver={allowDrop} onDrop={drop}>
      <ChannelsPanel />
      <ChannelPanel />
      <div class="side">
        <BenchPanel />
        <ServicePanel />
      </div>
    </div>
  );
};
