import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import { currentPage, type PageId } from '../state/pages.ts';
import type { StreamState } from '../streams/keep-connected.ts';
import type { Freshness } from '../ui/panel.tsx';
import type { LiveReport } from './live-report.ts';

/** Whether this tab is in sight. */
export const isTabShown = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => {
  isTabShown.value = document.visibilityState === 'visible';
});

/** A value once it has stood still for a moment, as one does that is not being typed any more. */
export const useSettled = <T>(value: T, stillMs: number): T => {
  const settled = useSignal(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = value;
    }, stillMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled.value;
};

/**
 * Follows a stream while a page is in front and in sight: a browser has few connections, and what
 * comes meanwhile is told when the page is shown again.
 */
export const useLive = (report: LiveReport, page: PageId, path: string): void => {
  const isSeen = currentPage.value.id === page && isTabShown.value && isServed.value;
  useEffect(() => report.follow(isSeen ? path : null), [report, path, isSeen]);
};

/** Nothing comes although it should: by itself again, with another token, or never. */
const brokenStates: readonly StreamState[] = ['reconnecting', 'token', 'ended'];

/** How far what is shown of a stream can be trusted. */
export const liveness = ({ state, toldAt }: Pick<LiveReport, 'state' | 'toldAt'>): Freshness => ({
  isAwaited: toldAt.value === null,
  staleSince: isServed.value && !brokenStates.includes(state.value) ? null : toldAt.value,
});
