import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { currentPage, type PageId } from './pages.ts';

export const useInterval = (page: PageId, counter: Signal<number>, ms = 200): void =>
  useEffect(() => {
    const timer = setInterval(() => {
      const isSeen = currentPage.peek().id === page && document.visibilityState === 'visible';
      if (isSeen) counter.value += 1;
    }, ms);
    return () => clearInterval(timer);
  }, [page, counter, ms]);
