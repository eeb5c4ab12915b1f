import type { GatewaySignal } from '../api/client.ts';
import { formatNumber } from '../format/figures.ts';
import { StateMark } from '../ui/state-mark.tsx';

type Quality = GatewaySignal['quality'];

/** Which state of the console a quality is like: it is told by its shape and word. */
const marks: Readonly<Record<Quality, string>> = {
  good: 'ok',
  initial: 'idle',
  timeout: 'expired',
  disconnected: 'lost',
  invalid: 'invalid',
  not_available: 'invalid',
  error: 'failed',
  e2e_error: 'failed',
  transform_error: 'failed',
  skew: 'stale',
  expired: 'expired',
  input_invalid: 'invalid',
};

const labels: Readonly<Partial<Record<Quality, string>>> = {
  e2e_error: 'E2E error',
  transform_error: 'transform error',
};

/** A quality in words. The values of an instance that does not run are held: none of them is good now. */
export const qualityText = (quality: Quality, held: string | null): string => {
  if (held !== null && quality === 'good') return held;
  return labels[quality] ?? quality.replaceAll('_', ' ');
};

/** Whether something went wrong on the way to a value: one that was not sent or set yet is as it should be. */
export const isWrong = (quality: Quality): boolean => quality !== 'good' && quality !== 'initial';

interface QualityMarkProps {
  readonly quality: Quality;
  /** Why the value is only held; null while the instance runs. */
  readonly held: string | null;
}

/** How far the value of a signal can be used. */
export const QualityMark = ({ quality, held }: QualityMarkProps) => (
  <StateMark
    state={held === null ? marks[quality] : 'stopped'}
    label={qualityText(quality, held)}
  />
);

/** A value with its name and unit; a dash where there is none. */
export const valueText = ({ value, label, unit }: GatewaySignal): string => {
  if (value === null) return '–';
  const text = label === null ? value : `${label} (${value})`;
  return unit === null || unit === '' ? text : `${text} ${unit}`;
};

/** The same for tables. */
export const tableValueText = (entry: GatewaySignal): string =>
  valueText(entry.value === null ? entry : { ...entry, value: formatNumber(entry.value) });
