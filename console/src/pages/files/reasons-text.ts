import { formatCount } from '../../format/figures.ts';

/** Counts by their reasons, those that happened: `bus off 3, queue full 1`. */
export const reasonsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${reason.replaceAll('_', ' ')} ${formatCount(count)}`)
    .join(', ');
