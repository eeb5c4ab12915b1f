import { holdUntil, labelSpans, linePoints } from '../../plot/line-points.ts';
import { remarksOnChoice, silenceText } from '../../plot/readings.ts';
import { beat, latestRange } from '../../plot/view-state.ts';
import type { SampleSeries } from '../../samples/sample-series.ts';
import { choiceKey, type SignalChoice, stateOf } from '../../samples/signal-choices.ts';
import { decode, knownPlans, seriesOf } from '../../samples/signals-state.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { box, minuteLine, wordsOf } from './minute-line.ts';
import { choicesOf, originOf, type Tile } from './overview-state.ts';

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

/** What a signal was in the last minute, in words: its lowest and highest value, or its names. */
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

/** Signals of a bench at a glance: what they are now, and what they were in the last minute. */
export const TileView = ({ tile, look }: { readonly tile: Tile; readonly look: number }) => {
  void beat.value;
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
          Nothing decodes {tile.message} on {tile.channel}.{' '}
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
