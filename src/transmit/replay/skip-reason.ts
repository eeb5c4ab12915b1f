/** Why a channel did not take a frame of a trace. */
export const refusalReasons = [
  'bus_off',
  'listen_only',
  'lost',
  'unpowered',
  'not_master',
] as const;

/** Why an event of a trace was not sent. */
export const skipReasons = [
  'unmapped_channel',
  'before_offset',
  'error_frame',
  /** The channel's bus has no such frames. */
  'not_on_bus',
  // LIN: what was no whole frame cannot be sent as one.
  'no_response',
  'checksum_error',
  'sync_break',
  'wake_up',
  ...refusalReasons,
] as const;
export type SkipReason = (typeof skipReasons)[number];
