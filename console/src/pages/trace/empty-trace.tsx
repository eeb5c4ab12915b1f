import { channels } from '../../state/bench.ts';
import { goTo } from '../../state/route.ts';
import { traceStatus } from './trace-client.ts';
import { filterText } from './trace-state.ts';

const isFiltering = (): boolean => Object.values(filterText.value).some((text) => text !== '');

/** What to do first where no frame is to be seen. */
export const EmptyTrace = () => {
  const { received, state } = traceStatus.value;
  const open = channels.data.value?.channels;
  if (received > 0 && isFiltering()) {
    return <p class="empty">No frame passes the filter. Clear a field, or wait for one.</p>;
  }
  if (state === 'stopped') return <p class="empty">The stream is stopped. Start it above.</p>;
  // The status above says why nothing is known.
  if (!open) return <p class="empty">Frames are shown as soon as the service answers.</p>;
  if (open.length === 0) {
    return (
      <p class="empty">
        No channel is open.{' '}
        <button type="button" onClick={() => goTo('channels')}>
          Open one on the Channels page
        </button>
      </p>
    );
  }
  const can = open.find(({ bus }) => bus !== 'lin');
  return (
    <p class="empty">
      No frame yet. Send one on the <a href="#send">Send page</a>
      {can && (
        <>
          , or run <code>busbar message send {can.selector} 123#DEADBEEF</code>
        </>
      )}
      .
    </p>
  );
};
