import { parentPort, workerData } from 'node:worker_threads';

/** Where a writer can be made to stop for good, so that it can be killed exactly there. */
export const stopPoints = ['reserve', 'announce', 'take ids', 'fill', 'commit', 'retract'] as const;
export type StopPoint = (typeof stopPoints)[number];

export interface StopOrder {
  readonly point: StopPoint;
  /** At which time of passing the point. */
  readonly time: number;
}

const order = (workerData as { stop?: StopOrder } | null)?.stop;
let passed = 0;

/** Ends here, without returning, if the thread was ordered to. */
export const passPoint = (point: StopPoint): void => {
  if (point !== order?.point || ++passed < order.time) return;
  parentPort?.postMessage('kill me');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
