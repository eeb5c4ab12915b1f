import { pointMs, type Trend, trendPoints } from '../samples/trend.ts';

interface LineKeyProps {
  readonly look: number;
  readonly dash: readonly number[];
}

export const LineKey = ({ look, dash }: LineKeyProps) => (
  <svg class="line-key" viewBox="0 0 24 12" aria-hidden="true">
    <path
      d="M0 6H24"
      style={{ stroke: `var(--series-${look + 1})` }}
      stroke-dasharray={dash.join(' ')}
    />
  </svg>
);

const width = 96;
const height = 18;
const margin = 1.5;

const lineOf = (trend: Trend): string => {
  const points = Array.from({ length: trend.length }, (_, index) => trend.pointAt(index));
  const low = Math.min(...points.map((point) => point.low));
  const high = Math.max(...points.map((point) => point.high));
  const step = (width - 2 * margin) / (trendPoints - 1);
  const y = (value: number): string => {
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return (height - margin - share * (height - 2 * margin)).toFixed(1);
  };
  const places = points.map((point, index) => {
    const x = (width - margin - (points.length - 1 - index) * step).toFixed(1);
    // A point is a range: the line passes both of its ends.
    return `${x} ${y(point.high)}L${x} ${y(point.low)}`;
  });
  return places.length === 0 ? '' : `M${places.join('L')}h0.1`;
};

const drawn = new WeakMap<
  Trend,
  { readonly line: string; readonly taken: number; readonly atMs: number }
>();

/** A line changes no more often than it gets points: a table draws many of them. */
export const trendLine = (trend: Trend, nowMs: number): string => {
  const known = drawn.get(trend);
  if (known && (known.taken === trend.taken || nowMs - known.atMs < pointMs)) return known.line;
  const line = lineOf(trend);
  drawn.set(trend, { line, taken: trend.taken, atMs: nowMs });
  return line;
};

interface TrendLineProps {
  readonly trend: Trend;
  readonly look: number;
}

/** Decorative, because the values are next to it. */
export const TrendLine = ({ trend, look }: TrendLineProps) => (
  <svg
    class="sparkline"
    style={{ '--stroke': `var(--series-${look + 1})` }}
    viewBox={`0 0 ${width} ${height}`}
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path d={trendLine(trend, performance.now())} />
  </svg>
);
