import './overview.css';
import { computed, effect } from '@preact/signals';
import type { Dashboard } from '../../api/client.ts';
import { counted, formatRate } from '../../format/figures.ts';
import { busNames } from '../../forms/channel-selectors.ts';
import { stateReport } from '../../live/state-report.ts';
import { traffic, useTraffic } from '../../live/traffic.ts';
import { loadScale, minuteOf, shownSeconds, type TrafficRow } from '../../live/traffic-history.ts';
import { liveness } from '../../live/use-live.ts';
import { holdUntil, labelSpans, linePoints } from '../../plot/line-points.ts';
import { PlotArea } from '../../plot/plot-area.tsx';
import { remarksOnChoice, silenceText } from '../../plot/readings.ts';
import { beats, frozen, latestRange, togglePause } from '../../plot/view-state.ts';
import { WindowSwitch } from '../../plot/window-switch.tsx';
import type { SampleSeries } from '../../samples/sample-series.ts';
import {
  choiceKey,
  noChoice,
  type PlanOrigin,
  type SignalChoice,
  stateOf,
} from '../../samples/signal-choices.ts';
import {
  choices,
  decode,
  expired,
  feed,
  isRebuilding,
  knownPlans,
  planError,
  rebuild,
  seedChoices,
  seriesOf,
  watched,
} from '../../samples/signals-state.ts';
import { bench, catalogs, devices, plans } from '../../state/bench.ts';
import { pages } from '../../state/pages.ts';
import { useInterval } from '../../state/use-interval.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { box, minuteLine, wordsOf } from './minute-line.ts';

type Tile = NonNullable<Dashboard['tiles']>[number];

const history = 4096;

const dashboard = computed(() => bench.data.value?.dashboard ?? null);

const originOf = ({
  channel,
  database,
  message,
}: Pick<Tile, 'channel' | 'database' | 'message'>): PlanOrigin => ({
  ...{ channel, selector: channel, database, message, history },
});

const choicesOf = (tile: Tile): readonly SignalChoice[] =>
  tile.signals.map((signal) => ({ ...noChoice, ...originOf(tile), signal }));

effect(() => {
  watched.value = (dashboard.value?.tiles ?? []).flatMap(choicesOf);
  const plot = dashboard.value?.plot ?? [];
  seedChoices(plot.map((each) => ({ ...originOf(each), signal: each.signal })));
});

const minuteUs = 60_000_000;

const columns = 120;

const Line = ({ series, look }: { readonly series: SampleSeries; readonly look: number }) => {
  const range = latestRange(minuteUs);
  const points = linePoints(series, range, columns);
  if (series.isLabelled && !series.isSilentAt(range.toUs)) holdUntil(range.toUs, points);
  return (
    <svg
      class="minute"
      style={{ '--stroke': `var(--series-${(look % 8) + 1})` }}
      viewBox={`0 0 ${box.width} ${box.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={minuteLine(points, range, series.isLabelled)} />
    </svg>
  );
};

const spanText = (series: SampleSeries): string => {
  const range = latestRange(minuteUs);
  if (series.isLabelled) {
    const names = new Set(labelSpans(series, range, 0).map(({ label }) => label));
    return [...names].slice(-4).join(' · ');
  }
  const { low, high } = linePoints(series, range, columns);
  if (!Number.isFinite(low)) return '';
  return `${Number(low.toPrecision(4))} – ${Number(high.toPrecision(4))}`;
};

interface RemarksProps {
  readonly choice: SignalChoice;
  readonly silence: string | null;
}

const Remarks = ({ choice, silence }: RemarksProps) => (
  <>
    {silence !== null && <StateMark state="stale" label={silence} />}
    {remarksOnChoice(choice)
      .filter((remark) => remark !== 'no sample yet')
      .map((remark) => (
        <StateMark key={remark} state={remark} />
      ))}
  </>
);

const Reading = ({ series, silence }: { series: SampleSeries; silence: string | null }) => (
  <strong data-silent={silence ?? undefined}>
    {series.latest?.label ?? series.latest?.value ?? '–'}
  </strong>
);

const Single = ({ choice, look }: { readonly choice: SignalChoice; readonly look: number }) => {
  const series = seriesOf(choice);
  const silence = silenceText(series);
  return (
    <>
      <p class="reading" data-testid="tile-value">
        <Reading series={series} silence={silence} />{' '}
        <span class="quiet">{series.latest?.unit}</span>
      </p>
      <Line series={series} look={look} />
      <p class="quiet span">
        <span>{spanText(series)}</span>
        <Remarks choice={choice} silence={silence} />
      </p>
    </>
  );
};

const Several = ({ choices }: { readonly choices: readonly SignalChoice[] }) => (
  <ul>
    {choices.map((choice, at) => {
      const series = seriesOf(choice);
      const silence = silenceText(series);
      return (
        <li key={choice.signal} data-signal={choice.signal}>
          <span class="name">{wordsOf(choice.signal)}</span>
          <Line series={series} look={at} />
          <Reading series={series} silence={silence} />
          <Remarks choice={choice} silence={silence} />
        </li>
      );
    })}
  </ul>
);

const TileView = ({ tile, look }: { readonly tile: Tile; readonly look: number }) => {
  void beats.overview.value;
  const choices = choicesOf(tile);
  const [first] = choices;
  if (!first) return null;
  const isMissing = stateOf(first, knownPlans.value) === 'expired';
  return (
    <section class="panel tile" data-testid="tile" data-tile={tile.title} aria-label={tile.title}>
      <h3>
        {tile.title}
        <span class="quiet">
          {choices.length === 1 && first.signal !== tile.title && wordsOf(first.signal)}
        </span>
      </h3>
      {isMissing && seriesOf(first).latest === null ? (
        <p class="quiet">
          No signal plan for {tile.message} on {tile.channel}.{' '}
          <button type="button" onClick={() => void decode(originOf(tile))}>
            Decode
          </button>
        </p>
      ) : choices.length === 1 ? (
        <Single key={choiceKey(first)} choice={first} look={look} />
      ) : (
        <Several choices={choices} />
      )}
    </section>
  );
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
              `Rx ${formatRate(latest.rx_rate_fps)} · Tx ${formatRate(latest.tx_rate_fps)} /s`}
          </span>
        ) : (
          <StateMark state={row.state} />
        )}
      </p>
    </li>
  );
};

const BusLoadPanel = () => {
  const rows = traffic.value ?? [];
  const scale = loadScale(rows);
  return (
    <Panel
      title="Bus load"
      testId="bus-load"
      class="bus-load"
      freshness={liveness(stateReport)}
      actions={
        <span class="quiet">{rows.length > 0 && `Last ${shownSeconds} s, 0–${scale} %`}</span>
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
          No open channels. <a href="#channels">Open a channel</a> to see its bus load.
        </p>
      )}
    </Panel>
  );
};

const Expiry = () =>
  expired.value.length === 0 ? null : (
    <Notice tone="warn" testId="overview-expired">
      <div class="actions">
        <p>■ Signal plan expired: {expired.value.map(({ message }) => message).join(', ')}.</p>
        <button
          type="button"
          {...unusableWhile(isRebuilding.value)}
          onClick={() => void rebuild(expired.peek())}
        >
          Rebuild
        </button>
      </div>
    </Notice>
  );

const PlotPreview = () => (
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
          No signals plotted. <a href="#signals">Choose signals</a> from a database to plot them
          here.
        </p>
      )
    ) : (
      <PlotArea page="overview" />
    )}
  </Panel>
);

type Link = NonNullable<Dashboard['links']>[number];

const usualLinks: readonly Link[] = [
  { title: 'Open channel', page: 'channels' },
  { title: 'Show trace', page: 'trace' },
  { title: 'Load database', page: 'files' },
  { title: 'Plot signals', page: 'signals' },
  { title: 'Send frame', page: 'send' },
];

/** The dashboard can name pages of another console version. */
const isKnown = ({ page }: Link): boolean => pages.some(({ id }) => id === page.split('?', 1)[0]);

const usualText = (): string => {
  const found = devices.data.value?.devices.length;
  if (found === undefined || !traffic.value) return '';
  return `${counted(traffic.value.length, 'channel')} open, ${counted(found, 'device')} found.`;
};

const Headline = () => {
  useResource(bench);
  useResource(devices);
  const { title, about, links } = dashboard.value ?? {};
  return (
    <section
      class="panel headline"
      data-testid="headline"
      aria-busy={!bench.data.value || undefined}
    >
      <h2>{title ?? bench.data.value?.project_id ?? 'Bench'}</h2>
      <p>{about ?? usualText()}</p>
      <ul class="next" aria-label="Next steps" data-testid="overview-links">
        {(links ?? usualLinks).filter(isKnown).map((link) => (
          <li key={link.title}>
            <a href={`#${link.page}`}>{link.title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const OverviewPage = () => {
  const isMissing = watched.value.some((each) => stateOf(each, knownPlans.value) === 'expired');
  useResource(plans, isMissing ? 'overview' : undefined);
  useResource(catalogs);
  useInterval('overview', beats.overview);
  useTraffic('overview');
  const tiles = dashboard.value?.tiles ?? [];
  return (
    <div class="overview">
      <Headline />
      {tiles.length > 0 && (
        <div class="tiles">
          {tiles.map((tile, at) => (
            <TileView key={tile.title} tile={tile} look={at} />
          ))}
        </div>
      )}
      <PlotPreview />
      <BusLoadPanel />
    </div>
  );
};
