/** CAN controller states, best first. LIN is always `error_active`. */
export const busStates = ['error_active', 'error_warning', 'error_passive', 'bus_off'] as const;
export type BusState = (typeof busStates)[number];

export interface ChannelStats {
  readonly rxFrames: number;
  readonly txFrames: number;
  readonly txFailed: number;
  readonly errorFrames: number;
  readonly overruns: number;
  readonly txPending: number;
  readonly busState: BusState;
  readonly txErrorCount: number;
  readonly rxErrorCount: number;
  /** Microseconds of bus time, including interframe space. Bus load is its growth over time. */
  readonly busyUs: number;
}
