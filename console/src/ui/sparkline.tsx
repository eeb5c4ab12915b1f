const width = 96;
const height = 18;
const margin = 1.5;

interface SparklineProps {
  readonly values: readonly number[];
  readonly capacity: number;
  readonly top?: number;
}

const lineOf = ({ values, capacity, top }: SparklineProps): string => {
  const shown = values.slice(-capacity);
  const highest = top ?? Math.max(...shown.filter(Number.isFinite), 1e-9);
  const step = (width - 2 * margin) / Math.max(1, capacity - 1);
  let line = '';
  let isDrawing = false;
  for (const [at, value] of shown.entries()) {
    if (Number.isFinite(value)) {
      const x = width - margin - (shown.length - 1 - at) * step;
      const y = height - margin - Math.min(1, value / highest) * (height - 2 * margin);
      line += `${isDrawing ? ' ' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    } else if (isDrawing) line += 'h0';
    isDrawing = Number.isFinite(value);
  }
  return isDrawing ? `${line}h0` : line;
};

export const Sparkline = (props: SparklineProps) => (
  <svg
    class="sparkline"
    viewBox={`0 0 ${width} ${height}`}
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path d={lineOf(props)} />
  </svg>
);
