import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isShown, type PageId } from './pages.ts';
import { pictures } from './pictures.ts';

/** Runs in pictures of a page while it is visible, and when it becomes visible again. */
export const useTicks = (page: PageId, run: () => void, ms = 200): void => {
  const isInFront = isShown(page);
  const wasHidden = useRef(false);
  useEffect(() => {
    if (!isInFront) {
      wasHidden.current = true;
      return;
    }
    if (wasHidden.current) run();
    wasHidden.current = false;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') pictures.request(run);
    }, ms);
    return () => clearInterval(timer);
  }, [isInFront, run, ms]);
};

export const useInterval = (page: PageId, counter: Signal<number>, ms = 200): void => {
  const count = useRef((): void => {
    counter.value += 1;
  });
  useTicks(page, count.current, ms);
};
