/** What became of a frame that was checked; all but `error` had the right checksum. */
export type CheckResult =
  | 'ok'
  /** Some frames are missing before it, no more than allowed. */
  | 'ok_some_lost'
  /** The first one: there is nothing to compare its counter with. */
  | 'initial'
  /** In order, but the receiver still resynchronises after something was wrong. */
  | 'sync'
  | 'repeated'
  | 'wrong_sequence'
  /** Checksum, data id, length or a counter that there is not. */
  | 'error';

/** Whether a frame with this result may be used. */
export const isGood = (result: CheckResult): boolean =>
  result === 'ok' || result === 'ok_some_lost' || result === 'initial';
