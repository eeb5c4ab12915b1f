import type { Channel } from '../../api/schema.ts';
import { formatRate } from '../../format/figures.ts';
import { stateReport } from '../../live/state-report.ts';
import { traffic } from '../../live/traffic.ts';
import { loadScale, minuteOf, shownSeconds, type TrafficRow } from '../../live/traffic-history.ts';
import { liveness } from '../../live/use-live.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { StateMark } from '../../ui/state-mark.tsx';

const busNames: Readonly<Record<Channel['bus'], string>> = {
  can: 'CAN',
  canfd: 'CAN FD',
  lin: 'LIN',
};

interface LaneProps {
  readonly row: TrafficRow;
  readonly rows: readonly TrafficRow[];
  readonly scale: number;
}

const Lane = ({ row, rows, scale }: LaneProps) => {
  const latest = row.seconds.at(-1);
  return (
    <li class="lane" data-channel={row.selector}>
      <p class="who">
        <strong>{row.name ?? row.selector}</strong>
        <span class="quiet">
          {busNames[row.bus]} {row.name !== null && row.selector}
        </span>
      </p>
      <Sparkline
        values={minuteOf('bus_load_percent', row, rows)}
        capacity={shownSeconds}
        top={scale}
      />
      <p class="figures">
        <strong data-testid="load">
          {latest ? `${latest.bus_load_percent.toFixed(1)} %` : '–'}
        </strong>
        {row.state === 'open' ? (
          <span class="quiet">
            {latest &&
              `↓ ${formatRate(latest.rx_rate_fps)}  ↑ ${formatRate(latest.tx_rate_fps)} /s`}
          </span>
        ) : (
          <StateMark state={row.state} />
        )}
      </p>
    </li>
  );
};

/** How busy every open channel is, and was in the last minute. */
export const BusLoadPanel = () => {
  const rows = traffic.value ?? [];
  const scale = loadScale(rows);
  return (
    <Panel
      title="Bus load"
      testId="bus-load"
      class="bus-load"
      freshness={liveness(stateReport)}
      header={
        <>
          <span class="grow" />
          <span class="quiet">{rows.length > 0 && `last ${shownSeconds} s, 0 to ${scale} %`}</span>
        </>
      }
    >
      <ErrorNotice error={stateReport.error.value} tone="warn" testId="bus-load-error" />
      {rows.length > 0 && (
        <ul class="lanes">
          {rows.map((row) => (
            <Lane key={row.selector} row={row} rows={rows} scale={scale} />
          ))}
        </ul>
      )}
      {traffic.value?.length === 0 && (
        <p class="empty">
          No channel is open. <a href="#channels">Open one</a> to see what it carries.
        </p>
      )}
    </Panel>
  );
};
