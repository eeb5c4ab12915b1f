import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** A value once it has not changed for a while. */
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
