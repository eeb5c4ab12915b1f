import type { Signal } from '@preact/signals';

/** A handler that puts the given value into a signal. */
export const setter =
  <T>(target: Signal<T>) =>
  (value: T): void => {
    target.value = value;
  };

/** A handler that sets a signal to a fixed value. */
export const setting =
  <T>(target: Signal<T>, value: T) =>
  (): void => {
    target.value = value;
  };
