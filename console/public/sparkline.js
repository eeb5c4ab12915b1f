import { trendPoints } from './trend.js';

const namespace = 'http://www.w3.org/2000/svg';
const width = 120;
const height = 18;
/** Keeps the line itself inside. */
const margin = 1.5;

const svgElement = (tag, attributes) => {
  const node = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

const step = (width - 2 * margin) / (trendPoints - 1);

const boundsOf = (points) => ({
  lowest: Math.min(...points.map(({ low }) => low)),
  highest: Math.max(...points.map(({ high }) => high)),
});

/** Where a value lies. What never changed lies in the middle. */
const heightIn = ({ lowest, highest }) => {
  const span = highest - lowest;
  const room = height - 2 * margin;
  return (value) => (span > 0 ? height - margin - ((value - lowest) / span) * room : height / 2);
};

/** A line through all points, the newest at the right, that runs over the range of each. */
const lineOf = (trend) => {
  const points = Array.from({ length: trend.length }, (_, index) => trend.pointAt(index));
  const heightOf = heightIn(boundsOf(points));
  let y = height / 2;
  const places = points.flatMap(({ low, high }, index) => {
    const x = width - margin - (points.length - 1 - index) * step;
    if (low === high) {
      y = heightOf(low);
      return [place(x, y)];
    }
    const ends = [heightOf(low), heightOf(high)];
    const [near, far] = Math.abs(ends[0] - y) < Math.abs(ends[1] - y) ? ends : ends.reverse();
    y = far;
    return [place(x - step / 4, near), place(x + step / 4, far)];
  });
  return places.length === 0 ? '' : `M${places.join(' ')}h0`;
};

const place = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A tiny picture of a trend, for eyes alone: the numbers stand beside it. */
export class Sparkline {
  node = svgElement('svg', {
    class: 'sparkline',
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  #line = svgElement('path', { d: '' });
  #drawn = '';

  constructor() {
    this.node.append(this.#line);
  }

  draw(trend) {
    const line = lineOf(trend);
    if (line === this.#drawn) return;
    this.#drawn = line;
    this.#line.setAttribute('d', line);
  }
}
