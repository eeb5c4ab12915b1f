import { bitRateOfText } from '../../../../src/frame/bit-rate-text.ts';
import { samplePoint, timingBitrate } from '../../../../src/frame/bit-timing.ts';
import type { BitTiming } from '../../api/client.ts';
import { numberOf } from '../../forms/number-text.ts';

/**
 * Parses `500000`, `500k` or `2M`. Undefined for an empty field; other text is returned
 * unchanged, so that the contract rejects it.
 */
export const bitRateOf = (text: string): number | string | undefined =>
  bitRateOfText(text) ?? (text.trim() || undefined);

export const shortRate = (bitsPerSecond: number): string => {
  if (bitsPerSecond % 100_000 === 0 && bitsPerSecond >= 1_000_000) {
    return `${bitsPerSecond / 1_000_000}M`;
  }
  return bitsPerSecond % 1000 === 0 ? `${bitsPerSecond / 1000}k` : String(bitsPerSecond);
};

export type TimingDraft = Readonly<Record<keyof BitTiming, string>>;

export const emptyTiming: TimingDraft = { prescaler: '', tseg1: '', tseg2: '', sjw: '' };

export const timingDraftOf = (timing: BitTiming | undefined): TimingDraft =>
  timing
    ? {
        prescaler: String(timing.prescaler),
        tseg1: String(timing.tseg1),
        tseg2: String(timing.tseg2),
        sjw: String(timing.sjw),
      }
    : emptyTiming;

export const timingBody = (draft: TimingDraft): Record<keyof BitTiming, unknown> => ({
  prescaler: numberOf(draft.prescaler),
  tseg1: numberOf(draft.tseg1),
  tseg2: numberOf(draft.tseg2),
  sjw: numberOf(draft.sjw),
});

export const timingResult = (
  draft: TimingDraft,
  clockHz: number | null,
): { readonly bitrate: number; readonly samplePoint: number } | null => {
  const { prescaler, tseg1, tseg2 } = timingBody(draft);
  if (clockHz === null) return null;
  if (![prescaler, tseg1, tseg2].every((part) => typeof part === 'number' && part > 0)) return null;
  const timing = { prescaler: Number(prescaler), tseg1: Number(tseg1), tseg2: Number(tseg2) };
  return { bitrate: timingBitrate(timing, clockHz), samplePoint: samplePoint(timing) };
};
