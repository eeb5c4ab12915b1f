import { useEffect } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import { currentPage, type PageId } from '../state/pages.ts';
import type { Freshness } from '../ui/panel.tsx';
import type { LiveReport } from './live-report.ts';
import { isTabShown } from './tab-shown.ts';

/**
 * Follows a stream while a page is in front and in sight: a browser has few connections, and what
 * comes meanwhile is told when the page is shown again.
 */
export const useLive = (report: LiveReport, page: PageId, path: string): void => {
  const isSeen = currentPage.value.id === page && isTabShown.value && isServed.value;
  useEffect(() => report.follow(isSeen ? path : null), [report, path, isSeen]);
};

/** How far what is shown of a stream can be trusted. */
export const liveness = ({ state, toldAt }: LiveReport): Freshness => ({
  isAwaited: toldAt.value === null,
  staleSince: isServed.value && state.value !== 'reconnecting' ? null : toldAt.value,
});
