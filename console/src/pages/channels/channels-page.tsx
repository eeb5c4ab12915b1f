import './channels.css';
import { useEffect } from 'preact/hooks';
import { offerCommands } from '../../state/commands.ts';
import { goTo, pageId, pageQuery } from '../../state/route.ts';
import { BenchPanel } from './bench-panel.tsx';
import { ChannelPanel } from './channel-panel.tsx';
import { readings, useReadings } from './channel-readings.ts';
import { ChannelsPanel } from './channels-panel.tsx';
import { openPort, pick, task } from './channels-state.ts';
import { ServicePanel } from './service-panel.tsx';

const channelCommands = () => [
  {
    id: 'channel-open',
    group: 'Channel',
    title: 'Open a channel',
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

/** Channels and their settings, the bench that they belong to, and how the service fares. */
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
