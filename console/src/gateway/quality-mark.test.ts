import { describe, expect, it } from 'vitest';
import type { GatewaySignal } from '../api/client.ts';
import { qualityText, tableValueText, valueText } from './quality-mark.tsx';

const entry = (value: string | null, part: Partial<GatewaySignal> = {}): GatewaySignal =>
  ({ value, label: null, unit: null, ...part }) as never;

describe('a value in words', () => {
  it('has its name and unit', () => {
    expect(valueText(entry('3', { label: 'Drive' }))).toBe('Drive (3)');
    expect(valueText(entry('1.5', { unit: 'V' }))).toBe('1.5 V');
    expect(valueText(entry(null, { unit: 'V' }))).toBe('–');
  });

  it('has no more digits in tables than a double keeps', () => {
    expect(tableValueText(entry('9.451052910052908', { unit: 'mph' }))).toBe(
      '9.45105291005291 mph',
    );
    expect(tableValueText(entry('18446744073709551615'))).toBe('18446744073709551615');
    expect(tableValueText(entry(null))).toBe('–');
  });
});

describe('a quality in words', () => {
  it('is never good where the value is only held', () => {
    expect(qualityText('good', null)).toBe('good');
    expect(qualityText('good', 'held since stop')).toBe('held since stop');
    expect(qualityText('e2e_error', 'held since stop')).toBe('E2E error');
  });
});
