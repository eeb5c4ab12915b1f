import { gapRemark } from '../../../src/trace/trace-gap.ts';
import { counted, formatCount } from '../format/figures.ts';
import { someChannels } from './frame-chunk.ts';

/** All gaps of a stream in a few words; those that could not be counted make the sum a lower bound. */
export const gapSum = (gaps: number, missing: number, uncounted: number): string => {
  if (gaps === 0) return 'no gaps';
  const least = uncounted > 0 ? 'at least ' : '';
  const sum = uncounted > 0 && missing === 0 ? 'an unknown number' : least + formatCount(missing);
  return `▲ ${counted(gaps, 'gap')}, ${sum} missing`;
};

/** A gap as a remark in a file, by which `trace info` and our other readers know and count it. */
export const gapRemarkOf = (missing: number): string =>
  gapRemark(Number.isFinite(missing) ? missing : null);

/** A gap as the trace shows it. */
export const gapSentence = (missing: number, eventId: number): string => {
  if (missing === someChannels) return 'Older frames of other channels are missing';
  return Number.isNaN(missing)
    ? `Frames are missing behind event ${formatCount(eventId)}: event ids start anew, so they cannot be counted`
    : `${counted(missing, 'frame')} ${missing === 1 ? 'is' : 'are'} missing behind event ${formatCount(eventId)}`;
};
