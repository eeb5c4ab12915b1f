import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isShown, type PageId } from './pages.ts';
import { pictures } from './pictures.ts';

export const useInterval = (page: PageId, counter: Signal<number>, ms = 200): void =>
  useEffect(() => {
    const count = (): void => {
      counter.value += 1;
    };
    const timer = setInterval(() => {
      const isSeen = isShown(page) && document.visibilityState === 'visible';
      if (isSeen) pictures.request(count);
    }, ms);
    return () => clearInterval(timer);
  }, [page, counter, ms]);
