import { signal } from '@preact/signals';
import { RateMeter } from '../streams/rate-meter.ts';
import { feed } from './signals-state.ts';

const meter = new RateMeter();

/** Samples in a second, as they come. */
export const rate = signal(0);

export const measureRate = (): void => {
  rate.value = meter.measure(feed.samples, performance.now());
};
