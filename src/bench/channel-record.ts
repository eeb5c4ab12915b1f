import type {
  CanTiming,
  ChannelMode,
  ChannelSettings,
  LinSettings,
} from '../drivers/channel-settings.ts';
import type { BusState, ChannelStats } from '../drivers/channel-stats.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { Rates } from './rate-meter.ts';
import { stableSelector } from './selector.ts';

export const channelStates = ['open', 'bus_off', 'lost', 'closing'] as const;
/** `lost`: the device is gone and being looked for. */
export type ChannelState = (typeof channelStates)[number];

/** Which port a channel is, and under what names it goes. */
export interface ChannelIdentity {
  readonly slot: number;
  readonly name: string | null;
  readonly driver: string;
  readonly sn: string;
  readonly uid: string;
  readonly port: number;
  /** What the port is called in files, from 1. */
  readonly number: number;
}

/** A channel as clients see it. */
export interface ChannelRecord extends ChannelIdentity {
  readonly selector: string;
  readonly uid_selector: string;
  readonly state: ChannelState;
  readonly bus: Bus;
  readonly mode: ChannelMode;
  readonly bitrate: number;
  readonly data_bitrate: number | null;
  readonly timing: CanTiming | null;
  readonly termination: boolean | null;
  readonly pull_up: boolean | null;
  readonly power: boolean | null;
  readonly lin: LinSettings | null;
  readonly opened_at_us: number;
}

/** What a channel has done so far, and how fast it was lately. */
export interface ChannelStatsRecord {
  readonly slot: number;
  readonly selector: string;
  readonly rx_frames: number;
  readonly tx_frames: number;
  readonly tx_failed: number;
  readonly tx_pending: number;
  readonly error_frames: number;
  readonly overruns: number;
  readonly rx_rate_fps: number;
  readonly tx_rate_fps: number;
  readonly bus_load_percent: number;
  readonly bus_state: BusState;
  readonly tx_error_count: number;
  readonly rx_error_count: number;
  readonly times_lost: number;
}

export const channelRecord = (
  { slot, name, driver, sn, uid, port, number }: ChannelIdentity,
  state: ChannelState,
  settings: ChannelSettings,
  openedAtUs: number,
): ChannelRecord => ({
  slot,
  selector: stableSelector(sn, port),
  uid_selector: stableSelector(uid, port),
  name,
  state,
  driver,
  sn,
  uid,
  port,
  number,
  bus: settings.bus,
  mode: settings.mode,
  bitrate: Math.round(settings.bitrate),
  data_bitrate: settings.dataBitrate === undefined ? null : Math.round(settings.dataBitrate),
  timing: settings.timing ?? null,
  termination: settings.termination ?? null,
  pull_up: settings.pullUp ?? null,
  power: settings.power ?? null,
  lin: settings.lin ?? null,
  opened_at_us: openedAtUs,
});

export const channelStatsRecord = (
  { slot, sn, port }: ChannelIdentity,
  stats: ChannelStats,
  rates: Rates,
  timesLost: number,
): ChannelStatsRecord => ({
  slot,
  selector: stableSelector(sn, port),
  rx_frames: stats.rxFrames,
  tx_frames: stats.txFrames,
  tx_failed: stats.txFailed,
  tx_pending: stats.txPending,
  error_frames: stats.errorFrames,
  overruns: stats.overruns,
  rx_rate_fps: rates.rxFps,
  tx_rate_fps: rates.txFps,
  bus_load_percent: rates.busLoadPercent,
  bus_state: stats.busState,
  tx_error_count: stats.txErrorCount,
  rx_error_count: stats.rxErrorCount,
  times_lost: timesLost,
});
