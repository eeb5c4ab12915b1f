import { hexByte, hexDigits } from '../frame/hex-bytes.ts';

/** Status bits of a DTC (ISO 14229-1, annex D.2), from bit 0. */
export const dtcStatusBits = [
  'test_failed',
  'test_failed_this_cycle',
  'pending',
  'confirmed',
  'not_completed_since_clear',
  'failed_since_clear',
  'not_completed_this_cycle',
  'warning_lamp',
] as const;
export type DtcStatusBit = (typeof dtcStatusBits)[number];

export const dtcStatusWords = (status: number): DtcStatusBit[] =>
  dtcStatusBits.filter((_, bit) => (status & (1 << bit)) !== 0);

/**
 * A DTC as in ISO 15031-6:
 *
 *     | 2 bits: P C B U | 2 bits | 4 bits | 4 bits | 4 bits | failure type 8 |
 *     |       P         |   0    |   1    |   2    |   3    |      -45       |
 */
export const dtcText = (dtc: number): string => {
  const code = dtc >>> 8;
  const letter = 'PCBU'.charAt(code >>> 14);
  return `${letter}${(code >>> 12) & 3}${hexDigits(code & 0xfff, 3)}-${hexByte(dtc)}`;
};

const textPattern = /^([PCBU])([0-3])([0-9A-F]{3})(?:-([0-9A-F]{2}))?$/;

/** Reads six hex digits, or the text of a DTC; null for anything else. */
export const parseDtc = (text: string): number | null => {
  const upper = text.toUpperCase();
  if (/^(?:0X)?[0-9A-F]{6}$/.test(upper)) return Number.parseInt(upper.slice(-6), 16);
  const match = textPattern.exec(upper);
  if (match === null) return null;
  const [, letter = '', second, digits = '', failureType = '00'] = match;
  const code =
    ('PCBU'.indexOf(letter) << 14) | (Number(second) << 12) | Number.parseInt(digits, 16);
  return code * 256 + Number.parseInt(failureType, 16);
};
