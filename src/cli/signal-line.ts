import type { SignalSample } from '../signal/live/sample-record.ts';

/** `820.25 rpm`, `1 "drive"`, or `-` without a value. */
export const amountText = ({
  value,
  unit,
  label,
}: Pick<SignalSample, 'value' | 'unit' | 'label'>): string =>
  [value ?? '-', unit, label === null ? '' : `"${label}"`].filter(Boolean).join(' ');
