import { PlotArea } from '../../plot/plot-area.tsx';
import { frozen, togglePause } from '../../plot/view-state.ts';
import { WindowSwitch } from '../../plot/window-switch.tsx';
import {
  choices,
  expired,
  feed,
  isRebuilding,
  planError,
  rebuild,
} from '../../samples/signals-state.ts';
import { bench } from '../../state/bench.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { unusableWhile } from '../../ui/unusable.ts';

const Expiry = () =>
  expired.value.length === 0 ? null : (
    <Notice tone="warn" testId="overview-expired">
      <div class="actions">
        <p>■ Nothing decodes {expired.value.map(({ message }) => message).join(', ')} any more.</p>
        <button
          type="button"
          {...unusableWhile(isRebuilding.value)}
          onClick={() => void rebuild(expired.peek())}
        >
          Decode again
        </button>
      </div>
    </Notice>
  );

/** The signals that were chosen last, as they are plotted on their own page. */
export const PlotPreview = () => (
  <Panel
    title="Plot"
    testId="overview-plot-panel"
    class="plot-preview"
    header={
      <>
        {feed.state.value !== 'idle' && <StateMark state={feed.state.value} />}
        <span class="grow" />
        <button type="button" aria-pressed={frozen.value !== null} onClick={togglePause}>
          {frozen.value ? 'Resume' : 'Pause'}
        </button>
        <WindowSwitch testId="overview-window" />
        <a href="#signals" data-testid="overview-plot">
          Choose signals
        </a>
      </>
    }
  >
    <ErrorNotice error={feed.error.value ?? planError.value} tone="warn" testId="overview-error" />
    <Expiry />
    {choices.value.length === 0 ? (
      bench.data.value && (
        <p class="empty">
          Nothing is plotted yet. <a href="#signals">Choose signals</a> of a database: they are
          plotted here from then on.
        </p>
      )
    ) : (
      <PlotArea page="overview" />
    )}
  </Panel>
);
