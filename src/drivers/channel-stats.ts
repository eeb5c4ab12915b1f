/** States of a CAN controller, the better before the worse. LIN is always `error_active`. */
export const busStates = ['error_active', 'error_warning', 'error_passive', 'bus_off'] as const;
export type BusState = (typeof busStates)[number];

export interface ChannelStats {
  readonly rxFrames: number;
  readonly txFrames: number;
  /** Accepted frames that were given up. */
  readonly txFailed: number;
  /** Errors on the bus: as many as the events told of so far stand for. */
  readonly errorFrames: number;
  /** Events that the hardware or the kernel dropped. */
  readonly overruns: number;
  /** Accepted frames without an outcome yet. */
  readonly txPending: number;
  readonly busState: BusState;
  readonly txErrorCount: number;
  readonly rxErrorCount: number;
  /**
   * Microseconds that frames and errors have occupied the bus, interframe space included. The
   * load over a time is how much this grew, divided by that time.
   */
  readonly busyUs: number;
}
