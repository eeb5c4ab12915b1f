import './overview.css';
import { useEffect } from 'preact/hooks';
import { offerCommands } from '../../state/commands.ts';
import { currentPage } from '../../state/pages.ts';
import { goTo } from '../../state/route.ts';
import { useResource } from '../../ui/use-resource.ts';
import { BenchPanel } from './bench-panel.tsx';
import { ChannelPanel } from './channel-panel.tsx';
import { readings } from './channel-readings.ts';
import { ChannelsPanel } from './channels-panel.tsx';
import { openPort, pick, task } from './overview-state.ts';
import { ServicePanel } from './service-panel.tsx';

const shownMs = 1000;
/** Often enough for the trends to go on while another page is in front. */
const hiddenMs = 5000;

const overviewCommands = () => [
  {
    id: 'channel-open',
    group: 'Channel',
    title: 'Open a channel',
    run: () => {
      goTo('overview');
      openPort();
    },
  },
  ...(readings.data.value ?? []).map(({ channel: { selector, name } }) => ({
    id: `channel-configure-${selector}`,
    group: 'Channel',
    title: `Configure ${name ?? selector}`,
    run: () => {
      goTo('overview');
      pick(selector);
      task.value = 'configure';
    },
  })),
];

/** The bench at a glance: what there is, what is open, and how it fares. */
export const OverviewPage = () => {
  const isInFront = currentPage.value.id === 'overview';
  useResource(readings, isInFront ? shownMs : hiddenMs);
  useEffect(() => offerCommands(overviewCommands), []);
  return (
    <div class="overview">
      <ChannelsPanel />
      <ChannelPanel />
      <div class="side">
        <BenchPanel />
        <ServicePanel />
      </div>
    </div>
  );
};
