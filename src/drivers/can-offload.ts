import type { NotTaken } from './send-result.ts';

/** A frame that a port is to send by itself, again and again. */
export interface CyclicJob {
  readonly id: number;
  /** FRM2 flags. */
  readonly flags: number;
  readonly dlc: number;
  /** Taken as it is at the call. */
  readonly data: Uint8Array;
  /** The first is due at once, and every other one so much later than the one before. */
  readonly periodUs: number;
  /** Ends after so many frames that the port took; 0 goes on until it is stopped. */
  readonly count: number;
}

/** What a device has done for a job. Once it is stopped, or its channel closed, nothing changes. */
interface Offloaded {
  /** Frames that the port took; null where it does not tell. */
  readonly sent: number | null;
  /** Frames that it did not take: they are gone, and nothing is made up for. Null likewise. */
  readonly failed: number | null;
  /** Why it did not take the last of these. */
  readonly lastRefusal: NotTaken | undefined;
  stop(): void;
}

export interface OffloadedCyclic extends Offloaded {
  /** All frames of its count are taken. Its slot is free again. */
  readonly isFinished: boolean;
}

/** An open port, as a device finds it among its own. */
export interface RouteTarget {
  readonly sn: string;
  readonly port: number;
}

/** What a port is to pass on of the frames that it receives, remote frames included. */
export interface RouteJob {
  readonly id: number;
  /** A frame is meant where its identifier agrees with `id` in these bits. */
  readonly mask: number;
  readonly extended: boolean;
  /** Another CAN port. */
  readonly target: RouteTarget;
  /** The identifier it goes out with, of the same length; its own if undefined. */
  readonly targetId: number | undefined;
}

export interface OffloadedRoute extends Offloaded {
  readonly sent: number;
  readonly failed: number;
  /** Frames that were meant. */
  readonly matched: number;
}

/**
 * What a device can do without the bench thread. It sends under the same rules as `send`, and its
 * jobs go on through changes of settings, bus off and a lost device: what would have been due
 * meanwhile has failed, and the next frame comes when its time has come. They end with the channel
 * they were started on, and a route with its target too.
 */
export interface CanOffload {
  /** Only for callers that ask for it, since less is known of what a device does so. */
  readonly isOnRequest?: boolean;
  /** Undefined if the device has no slot for it. */
  startCyclic(job: CyclicJob): OffloadedCyclic | undefined;
  /** Undefined if the device has no slot for it, or the target is none of its ports. */
  startRoute(job: RouteJob): OffloadedRoute | undefined;
  /** The same where it takes a moment. Rejects what it cannot do. */
  requestRoute?(job: RouteJob): Promise<OffloadedRoute>;
}
