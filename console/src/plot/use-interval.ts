import { useEffect } from 'preact/hooks';
import { currentPage, type PageId } from '../state/pages.ts';
import { beat } from './view-state.ts';

const beatMs = 200;

/** Keeps the figures of a page going for as long as it is in front and in sight. */
export const useInterval = (page: PageId): void =>
  useEffect(() => {
    const timer = setInterval(() => {
      const isSeen = currentPage.peek().id === page && document.visibilityState === 'visible';
      if (isSeen) beat.value += 1;
    }, beatMs);
    return () => clearInterval(timer);
  }, [page]);
