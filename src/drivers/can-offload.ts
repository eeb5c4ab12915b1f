import type { RefusedSend } from './send-result.ts';

export interface CyclicJob {
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
  /** Copied by the call. */
  readonly data: Uint8Array;
  /** The first frame is due immediately. */
  readonly periodUs: number;
  /** Ends after so many accepted frames; 0 for endless. */
  readonly count: number;
}

/** Counts of a job in a device; frozen once it stopped or its channel closed. */
interface Offloaded {
  /** Accepted frames; null if unknown. */
  readonly sent: number | null;
  /** Refused frames, which are not repeated; null if unknown. */
  readonly failed: number | null;
  /** Reason of the last refusal. */
  readonly lastRefusal: RefusedSend | undefined;
  stop(): void;
}

export interface OffloadedCyclic extends Offloaded {
  /** Its count is complete, and its slot is free. */
  readonly isFinished: boolean;
}

export interface RouteTarget {
  readonly sn: string;
  readonly port: number;
}

/** Received frames that a port forwards, including remote frames. */
export interface RouteJob {
  readonly id: number;
  /** Compared bits of the identifier. */
  readonly mask: number;
  readonly extended: boolean;
  readonly target: RouteTarget;
  /** Identifier to send, of the same length; unchanged if undefined. */
  readonly targetId: number | undefined;
}

export interface OffloadedRoute extends Offloaded {
  readonly sent: number;
  readonly failed: number;
  readonly matched: number;
}

/**
 * Functions of a device that need no bench thread. It sends under the same rules as `send`. Its
 * jobs continue through setting changes, bus off and device loss: frames due meanwhile have
 * failed, and the next one is sent at its time. Jobs end with the channel they were started on,
 * a route also with its target.
 */
export interface CanOffload {
  /** Only on request, since less is known about such a job. */
  readonly isOnRequest?: boolean;
  /** Undefined if the device has no free slot. */
  startCyclic(job: CyclicJob): OffloadedCyclic | undefined;
  /** Undefined without a free slot, or if the target is not one of its ports. */
  startRoute(job: RouteJob): OffloadedRoute | undefined;
  /** Asynchronous variant. Rejects if impossible. */
  requestRoute?(job: RouteJob): Promise<OffloadedRoute>;
}
