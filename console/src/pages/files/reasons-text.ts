import { formatCount } from '../../format/figures.ts';

/** Counts by their reasons, those that happened: `3 × bus off, 1 × queue full`. */
export const reasonsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${formatCount(count)} × ${reason.replaceAll('_', ' ')}`)
    .join(', ');
