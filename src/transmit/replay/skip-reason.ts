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
  'not_on_bus',
  'no_response',
  'checksum_error',
  'sync_break',
  'wake_up',
  ...refusalReasons,
] as const;
export type SkipReason = (typeof skipReasons)[number];
