import type { RefusedSend } from './send-result.ts';

export interface CyclicJob {
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
  /** Copied by the call. */
  readonly data: Uint8Array;
  /** The first frame is due immediately. */
  readonly periodUs: number;
  /** The job stops after this many accepted frames; 0 for endless. */
  readonly count: number;
}

interface Offloaded {
  readonly sent: number | null;
  /** Refused frames, which are not retried; null if unknown. */
  readonly failed: number | null;
  readonly lastRefusal: RefusedSend | undefined;
  stop(): void;
}

export interface OffloadedCyclic extends Offloaded {
  readonly isFinished: boolean;
}

export interface RouteTarget {
  readonly sn: string;
  readonly port: number;
}

export interface RouteJob {
  readonly id: number;
  readonly mask: number;
  readonly extended: boolean;
  readonly target: RouteTarget;
  /** New identifier, of the same width; unchanged if undefined. */
  readonly targetId: number | undefined;
}

export interface OffloadedRoute extends Offloaded {
  readonly sent: number;
  readonly failed: number;
  readonly matched: number;
}

/**
 * Jobs that a device runs without the bench thread, under the same rules as `send`. They continue
 * through setting changes, bus-off and device loss. Frames due meanwhile fail, and the next frame
 * is sent on time. A job stops with the channel it was started on, a route also with its target.
 */
export interface CanOffload {
  /** Used only on request, because such jobs report less. */
  readonly isOnRequest?: boolean;
  /** Undefined if the device has no free slot. */
  startCyclic(job: CyclicJob): OffloadedCyclic | undefined;
  /** Undefined if no slot is free or the target is not a port of the device. */
  startRoute(job: RouteJob): OffloadedRoute | undefined;
  /** Asynchronous variant. Rejects if impossible. */
  requestRoute?(job: RouteJob): Promise<OffloadedRoute>;
}
