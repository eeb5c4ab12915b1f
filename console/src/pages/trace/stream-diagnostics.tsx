import { counted, formatCount } from '../../format/figures.ts';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { GapList } from './gap-list.tsx';
import { isTraceWanted, startTrace, stopTrace, traceStatus } from './trace-client.ts';
import { traceState } from './trace-lag.ts';

/** Where the WebSocket stream is, and what it lost. */
export const StreamDiagnostics = () => {
  const status = traceStatus.value;
  return (
    <Panel
      title="WebSocket stream"
      testId="ws-diagnostics"
      header={
        <>
          <StateMark {...traceState.value} />
          <button
            type="button"
            data-testid="ws-toggle"
            onClick={() => (isTraceWanted() ? stopTrace() : startTrace())}
          >
            {isTraceWanted() ? 'Stop' : 'Start'}
          </button>
        </>
      }
    >
      <ScrollArea>
        <dl>
          <dt>Cursor</dt>
          <dd data-testid="ws-cursor">
            {status.cursor === null ? '–' : `event ${formatCount(status.cursor)}`}
          </dd>
          <dt>Epoch</dt>
          <dd data-testid="ws-epoch">{status.epoch ?? '–'}</dd>
          <dt>Received</dt>
          <dd data-testid="ws-received">{formatCount(status.received)}</dd>
          <dt>Kept</dt>
          <dd data-testid="ws-kept">{formatCount(status.kept)} rows</dd>
          <dt>Connections</dt>
          <dd data-testid="ws-connections">{formatCount(status.connections)}</dd>
          <dt>Duplicates</dt>
          <dd>{formatCount(status.duplicates)} dropped</dd>
          <dt>Malformed</dt>
          <dd>{formatCount(status.malformed)}</dd>
          <dt>Missing</dt>
          <dd class="whole" data-testid="ws-missing">
            {formatCount(status.missing)} in {counted(status.gaps, 'gap')}
            {status.uncounted > 0 && `, ${formatCount(status.uncounted)} of unknown size`}
          </dd>
        </dl>
        {status.gapNotes.length > 0 && (
          <GapList
            gaps={status.gapNotes.map(({ gap, bounds }) => ({
              after: gap.eventId,
              missing: gap.missing,
              ...bounds,
            }))}
          />
        )}
      </ScrollArea>
    </Panel>
  );
};
