import type { AttributeValue, ValueText } from '../../../model.ts';

/** A quoted string cannot end with a backslash, which would escape the closing quote. */
export const quote = (text: string): string =>
  `"${text.replaceAll('"', '\\"')}${text.endsWith('\\') ? ' ' : ''}"`;

export const valueText = (value: AttributeValue): string => {
  if (value.kind === 'number') return value.number;
  return value.kind === 'choice' ? String(value.index) : quote(value.text);
};

export const pairsText = (values: readonly ValueText[]): string =>
  values.map(({ raw, text }) => `${raw} ${quote(text)} `).join('');
