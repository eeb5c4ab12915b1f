import type { LinePoints } from '../../plot/line-points.ts';
import type { TimeRange } from '../../plot/time-range.ts';

export const box = { width: 240, height: 40 } as const;
const margin = 2;

export const minuteLine = (
  { times, values, breaks, low, high }: Omit<LinePoints, 'invalid' | 'samples'>,
  { fromUs, toUs }: TimeRange,
  isStep: boolean,
): string => {
  const x = (us: number): number =>
    Math.min(box.width, Math.max(0, ((us - fromUs) / (toUs - fromUs)) * box.width));
  const y = (value: number): number => {
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return box.height - margin - share * (box.height - 2 * margin);
  };
  let path = '';
  let isDown = false;
  for (const [at, value = Number.NaN] of values.entries()) {
    if (!Number.isFinite(value)) {
      isDown = false;
      continue;
    }
    const px = x(times[at] ?? 0).toFixed(1);
    const py = y(value).toFixed(1);
    // A short dash makes a single sample visible.
    if (!isDown || breaks[at]) path += `M${px} ${py}h0.1`;
    else path += isStep ? `H${px}V${py}` : `L${px} ${py}`;
    isDown = true;
  }
  return path;
};

/** Example: `RearLeftDoor` becomes `Rear left door`. */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  return (
    words.charAt(0) + words.slice(1).replaceAll(/[A-Z](?=[a-z])/g, (each) => each.toLowerCase())
  );
};
