import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FollowedInstance } from './followed-instance.ts';

/** Figures that change faster than this cannot be read. */
const paceMs = 100;

/** Draws the component anew behind news of an instance, ten times a second at most. */
export const usePacedFrame = (instance: FollowedInstance): void => {
  const paced = useSignal(0);
  void paced.value;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = instance.frame.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        paced.value += 1;
      }, paceMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [instance]);
};
