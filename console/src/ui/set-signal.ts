import type { Signal } from '@preact/signals';

export const setter =
  <T>(target: Signal<T>) =>
  (value: T): void => {
    target.value = value;
  };

export const setting =
  <T>(target: Signal<T>, value: T) =>
  (): void => {
    target.value = value;
  };
