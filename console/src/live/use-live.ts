import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import { isShown, type PageId } from '../state/pages.ts';
import type { StreamState } from '../streams/keep-connected.ts';
import type { Freshness } from '../ui/panel.tsx';
import type { LiveReport } from './live-report.ts';

export const isTabShown = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => {
  isTabShown.value = document.visibilityState === 'visible';
});

/**
 * Follows a stream while its page is visible: a browser has few connections, and the service
 * sends the current state on every connection.
 */
export const useLive = (report: LiveReport, page: PageId, path: string): void => {
  const isSeen = isShown(page) && isTabShown.value && isServed.value;
  useEffect(() => report.follow(isSeen ? path : null), [report, path, isSeen]);
};

const brokenStates: readonly StreamState[] = ['reconnecting', 'token', 'ended'];

export const liveness = ({
  state,
  updatedAt,
}: Pick<LiveReport, 'state' | 'updatedAt'>): Freshness => ({
  isAwaited: updatedAt.value === null,
  staleSince: isServed.value && !brokenStates.includes(state.value) ? null : updatedAt.value,
});
