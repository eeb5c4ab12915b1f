import type { BitTiming } from '../frame/bit-timing-record.ts';
import type { ChecksumModel } from '../frame/frame.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { IdFilter } from '../frame/id-filter.ts';
import type { LinVersion } from '../frame/lin.ts';

export const channelModes = ['normal', 'listen_only', 'loopback'] as const;
/**
 * `listen_only` never drives the bus. `loopback` disconnects from the bus and receives its own
 * frames.
 */
export type ChannelMode = (typeof channelModes)[number];

export const linRoles = ['master', 'slave'] as const;
export type LinRole = (typeof linRoles)[number];

export interface CanTiming {
  readonly nominal: BitTiming;
  readonly data?: BitTiming;
}

export interface LinSettings {
  readonly role: LinRole;
  readonly version: LinVersion;
  /** Default checksum model: classic in LIN 1.3. */
  readonly checksum: ChecksumModel;
}

export interface OpenSettings {
  readonly bus?: Bus;
  readonly mode?: ChannelMode;
  readonly bitrate?: number;
  readonly dataBitrate?: number;
  /** Overrides the bit rates. */
  readonly timing?: CanTiming;
  readonly termination?: boolean;
  readonly pullUp?: boolean;
  readonly power?: boolean;
  readonly lin?: Partial<LinSettings>;
  /** CAN only. Frames that do not match are acknowledged but not reported. */
  readonly filters?: readonly IdFilter[];
}

export interface ChannelSettings {
  readonly bus: Bus;
  readonly mode: ChannelMode;
  readonly bitrate: number;
  readonly dataBitrate?: number;
  readonly timing?: CanTiming;
  readonly termination?: boolean;
  readonly pullUp?: boolean;
  readonly power?: boolean;
  readonly lin?: LinSettings;
}

export type SettingChange =
  | ({ readonly group: 'timing' } & CanTiming)
  | { readonly group: 'lin'; readonly version?: LinVersion; readonly checksum?: ChecksumModel }
  | { readonly group: 'mode'; readonly mode: ChannelMode }
  | { readonly group: 'termination'; readonly termination: boolean }
  | { readonly group: 'pull_up'; readonly pullUp: boolean }
  | { readonly group: 'bitrate'; readonly bitrate: number; readonly dataBitrate?: number }
  | { readonly group: 'power'; readonly power: boolean };

export type SettingGroup = SettingChange['group'];
