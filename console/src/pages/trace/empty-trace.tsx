import { channels } from '../../state/bench.ts';
import { goTo } from '../../state/route.ts';
import { traceStatus } from './trace-client.ts';
import { filterText } from './trace-state.ts';

const isFiltering = (): boolean => Object.values(filterText.value).some((text) => text !== '');

/** What to do first where no frame is to be seen. */
export const EmptyTrace = () => {
  const { received, state } = traceStatus.value;
  const hasChannels = (channels.data.value?.channels.length ?? 0) > 0;
  if (received > 0 && isFiltering()) {
    return <p class="empty">No frame passes the filter. Clear a field, or wait for one.</p>;
  }
  if (state === 'stopped') return <p class="empty">The stream is stopped. Start it above.</p>;
  if (!hasChannels) {
    return (
      <p class="empty">
        No channel is open.{' '}
        <button type="button" onClick={() => goTo('overview')}>
          Open one on the Overview page
        </button>
      </p>
    );
  }
  return (
    <p class="empty">
      No frame yet. Send one on the Send page, or run{' '}
      <code>busbar message send SIM00001/0 123#DEADBEEF</code>.
    </p>
  );
};
