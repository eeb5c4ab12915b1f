import { samplePoint, timingBitrate } from '../../../../src/frame/bit-timing.ts';
import type { BitTiming } from '../../api/client.ts';
import { numberOf } from '../../forms/number-text.ts';

/** What stands in the fields of a bit timing. */
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

/** The rate and sample point that a timing gives at a clock; null while it is not a timing yet. */
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
