import type { CheckPlot, CheckResult } from '../check-record.ts';
import { attributes, escaped } from './markup.ts';
import { numberText } from './report-words.ts';

const width = 720;
const height = 170;
const left = 72;
const right = 12;
const top = 14;
const bottom = 26;
const tickSteps = [1, 2, 5, 10];
const ticks = 4;
/** Room above and below the values, as a part of their range. */
const margin = 0.06;

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly at: (value: number) => string;
}

const axisOf = (from: number, to: number, start: number, end: number): Axis => ({
  from,
  to,
  at: (value) => (start + ((value - from) / (to - from)) * (end - start)).toFixed(1),
});

const spread = (values: readonly number[]): [low: number, high: number] => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * margin || Math.abs(high) * margin || 1;
  return [low - room, high + room];
};

/** Round values on the axis. */
const ticksOf = ({ from, to }: Axis): number[] => {
  const rough = (to - from) / ticks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (tickSteps.find((each) => each * power >= rough) ?? 1);
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  if (!(count > 0 && count <= 2 * ticks)) return [];
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)));
};

const line = (name: string, x1: string, y1: string, x2: string, y2: string): string =>
  `<line${attributes({ class: name, x1, y1, x2, y2 })}/>`;

const label = (anchor: string, x: number | string, y: number | string, text: string): string =>
  `<text${attributes({ 'text-anchor': anchor, x, y })}>${escaped(text)}</text>`;

const grid = (x: Axis, y: Axis): string[] => {
  const [low, high] = [String(top), String(height - bottom)];
  return [
    ...ticksOf(y).flatMap((value) => [
      line('grid', String(left), y.at(value), String(width - right), y.at(value)),
      label('end', left - 6, Number(y.at(value)) + 4, numberText(value)),
    ]),
    ...ticksOf(x).flatMap((value) => [
      line('grid', x.at(value), low, x.at(value), high),
      label('middle', x.at(value), height - bottom + 16, `${numberText(value)} s`),
    ]),
  ];
};

const limits = ({ low, high }: CheckPlot, y: Axis): string[] =>
  [low, high].flatMap((value) =>
    value === null
      ? []
      : [line('limit', String(left), y.at(value), String(width - right), y.at(value))],
  );

/** From the lowest values to the right, and back along the highest ones. */
const band = ({ points }: CheckPlot, x: Axis, y: Axis): string => {
  const there = points.map(({ time_us, min }) => `${x.at(time_us / 1e6)},${y.at(min)}`);
  const back = points.map(({ time_us, max }) => `${x.at(time_us / 1e6)},${y.at(max)}`).reverse();
  return `<polygon class="band" points="${[...there, ...back].join(' ')}"/>`;
};

const marks = ({ violations }: CheckResult, x: Axis): string[] =>
  violations
    .map(({ time_us }) => time_us / 1e6)
    .filter((time) => time >= x.from && time <= x.to)
    .map((time) => {
      const [at, y] = [Number(x.at(time)), height - bottom];
      return `<path class="mark" d="M${at} ${y - 9}l4 9h-8z"/>`;
    });

/** Values over time with their limits, and a triangle for each violation. */
export const plotSvg = (check: CheckResult, plot: CheckPlot): string => {
  const { points, low, high, name, unit } = plot;
  const values = points.flatMap(({ min, max }) => [min, max]);
  const allowed = [low, high].filter((value) => value !== null);
  const times = points.map(({ time_us }) => time_us / 1e6);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = axisOf(first, last > first ? last : first + 1, left, width - right);
  const y = axisOf(...spread([...values, ...allowed]), height - bottom, top);
  const title = unit === '' ? name : `${name} in ${unit}`;
  const found = `${numberText(Math.min(...values))} to ${numberText(Math.max(...values))}`;
  const svg = attributes({
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': `${title} over time: ${found}`,
  });
  return `<svg${svg}>
${[...grid(x, y), band(plot, x, y), ...limits(plot, y), ...marks(check, x)].join('\n')}
</svg>`;
};
