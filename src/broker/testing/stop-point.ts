import { parentPort, workerData } from 'node:worker_threads';

/** A point where a writer can be blocked, so that it can be killed exactly there. */
export const stopPoints = ['reserve', 'announce', 'take ids', 'fill', 'commit', 'retract'] as const;
export type StopPoint = (typeof stopPoints)[number];

export interface StopOrder {
  readonly point: StopPoint;
  /** How many passes of this point come first. */
  readonly time: number;
}

const order = (workerData as { stop?: StopOrder } | null)?.stop;
let passed = 0;

/** Blocks forever if the thread is ordered to stop here. */
export const passPoint = (point: StopPoint): void => {
  if (point !== order?.point || ++passed < order.time) return;
  parentPort?.postMessage('kill me');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
