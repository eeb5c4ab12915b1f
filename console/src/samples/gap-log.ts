import type { GapEvent } from '../../../src/frame/event-record.ts';
import { counted, formatCount } from '../format/figures.ts';

interface GapLog {
  readonly count: number;
  readonly missed: number;
  readonly isBound: boolean;
  readonly isPartial: boolean;
  readonly recent: readonly string[];
}

export const noGaps: GapLog = { count: 0, missed: 0, isBound: false, isPartial: false, recent: [] };

/** Older gaps are only counted. */
const shown = 3;

interface GapContext {
  readonly lastSequence: number;
  /** True if the gap was first on its connection: then all missing samples had sequence numbers. */
  readonly isFirst: boolean;
  readonly time: string;
}

/**
 * Adds a gap to the log. The service does not count samples lost between two connections; their
 * sequence numbers are an upper bound, unless the sequence restarted.
 */
export const withGap = (log: GapLog, gap: GapEvent, circumstances: GapContext): GapLog => {
  const { lastSequence, isFirst, time } = circumstances;
  const max = gap.oldest_available - 1 - lastSequence;
  const isBound = gap.missed === null && isFirst && max >= 0;
  const isUnknown = gap.missed === null && !isBound;
  const missed = gap.missed ?? (isBound ? max : 0);
  const loss = isUnknown
    ? `an unknown number of samples (${isFirst ? 'the sequence restarted' : 'frames were lost before decoding'})`
    : `${isBound ? 'up to ' : ''}${counted(missed, 'sample')}`;
  const line = `${time} Missed ${loss}, before sample ${formatCount(gap.oldest_available)}.`;
  return {
    count: log.count + 1,
    missed: log.missed + missed,
    isBound: log.isBound || isBound,
    isPartial: log.isPartial || isUnknown,
    recent: [line, ...log.recent].slice(0, shown),
  };
};

export const gapLines = ({
  count,
  missed,
  isBound,
  isPartial,
  recent,
}: GapLog): readonly string[] => {
  if (count < 2) return recent;
  const sum = `${isBound ? 'up to ' : ''}${counted(missed, 'sample')}${isPartial ? ' and an unknown number' : ''}`;
  const rest = count > shown ? `; the latest ${shown}:` : ':';
  return [`${counted(count, 'gap')}, ${sum} missed in total${rest}`, ...recent];
};
