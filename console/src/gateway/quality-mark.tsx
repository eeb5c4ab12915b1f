import type { GatewaySignal } from '../api/client.ts';
import { formatNumber } from '../format/figures.ts';
import { StateMark } from '../ui/state-mark.tsx';

type Quality = GatewaySignal['quality'];

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

export const qualityText = (quality: Quality, held: string | null): string => {
  if (held !== null && quality === 'good') return held;
  return labels[quality] ?? quality.replaceAll('_', ' ');
};

/** A signal that was not yet received or set has no error. */
export const isWrong = (quality: Quality): boolean => quality !== 'good' && quality !== 'initial';

interface QualityMarkProps {
  readonly quality: Quality;
  readonly held: string | null;
}

export const QualityMark = ({ quality, held }: QualityMarkProps) => (
  <StateMark
    state={held === null ? marks[quality] : 'stopped'}
    label={qualityText(quality, held)}
  />
);

export const valueText = ({ value, label, unit }: GatewaySignal): string => {
  if (value === null) return '–';
  const text = label === null ? value : `${label} (${value})`;
  return unit === null || unit === '' ? text : `${text} ${unit}`;
};

export const tableValueText = (entry: GatewaySignal): string =>
  valueText(entry.value === null ? entry : { ...entry, value: formatNumber(entry.value) });
