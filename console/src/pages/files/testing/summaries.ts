import type { TraceSummary } from '../../../api/client.ts';

/** A complete ASC file with these channels. */
export const aSummary = (fields: Partial<TraceSummary>): TraceSummary => ({
  file: 'drive.asc',
  size: 1000,
  bytes: 1000,
  complete: true,
  format: 'asc',
  started_at_us: null,
  duration_us: 2_000_000,
  events: 40,
  buses: { can: 40, canfd: 0, lin: 0 },
  kinds: { rx_frame: 40, tx_complete: 0 },
  error_frames: 0,
  remote_frames: 0,
  distinct_ids: 1,
  out_of_order: 0,
  longest_pause_us: 0,
  channels: [],
  skipped: {},
  gaps: 0,
  missed: 0,
  malformed: 0,
  flaws: [],
  truncated: false,
  ...fields,
});

/** A CAN channel with events from one to three seconds. */
export const aChannel = (
  channel: number,
  fields: Partial<TraceSummary['channels'][number]> = {},
): TraceSummary['channels'][number] => ({
  channel,
  bus: 'can',
  name: null,
  events: 20,
  first_us: 1_000_000,
  last_us: 3_000_000,
  ...fields,
});
