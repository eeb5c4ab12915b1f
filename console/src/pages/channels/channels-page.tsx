import './channels.css';
import { useEffect } from 'preact/hooks';
import { channels } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo, pageId, pageQuery } from '../../state/pages.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { BenchPanel } from './bench-panel.tsx';
import { channelColumns } from './channel-columns.tsx';
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

export const ChannelsPage = () => {
  useReadings();
  useEffect(() => offerCommands(channelCommands), []);
  const named = pageId.value === 'channels' ? pageQuery.value.get('channel') : null;
  useEffect(() => {
    if (named !== null) pick(named);
  }, [pageQuery.value]);
  return (
    <div class="channels-page">
      <ChannelsPanel />
      <ChannelPanel />
      <div class="side">
        <BenchPanel />
        <ServicePanel />
      </div>
    </div>
  );
};
