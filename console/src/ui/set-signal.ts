import type { Signal } from '@preact/signals';

/** Returns a handler that sets a signal to the passed value. */
export const setter =
  <T>(target: Signal<T>) =>
  (value: T): void => {
    target.value = value;
  };

/** Returns a handler that sets a signal to a fixed value. */
export const setting =
  <T>(target: Signal<T>, value: T) =>
  (): void => {
    target.value = value;
  };
