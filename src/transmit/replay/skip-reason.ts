export const refusalReasons = [
  'bus_off',
  'listen_only',
  'lost',
  'unpowered',
  'not_master',
] as const;

export const skipReasons = [
  'unmapped_channel',
  'before_offset',
  'error_frame',
  /** The frame type does not exist on the channel's bus. */
  'not_on_bus',
  // LIN: an incomplete frame cannot be sent.
  'no_response',
  'checksum_error',
  'sync_break',
  'wake_up',
  ...refusalReasons,
] as const;
export type SkipReason = (typeof skipReasons)[number];
