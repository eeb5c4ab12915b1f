import type { BitTiming } from '../frame/bit-timing-record.ts';
import type { ChecksumModel } from '../frame/frame.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { IdFilter } from '../frame/id-filter.ts';
import type { LinVersion } from '../frame/lin.ts';

export const channelModes = ['normal', 'listen_only', 'loopback'] as const;
/**
 * `listen_only` receives without ever putting a bit on the bus. `loopback` is off the bus: what
 * the channel sends comes back to it as received, without another node.
 */
export type ChannelMode = (typeof channelModes)[number];

export const linRoles = ['master', 'slave'] as const;
export type LinRole = (typeof linRoles)[number];

export interface CanTiming {
  readonly nominal: BitTiming;
  /** CAN FD only. */
  readonly data?: BitTiming;
}

export interface LinSettings {
  readonly role: LinRole;
  readonly version: LinVersion;
  /** The model of frames that do not say otherwise; classic in LIN 1.3. */
  readonly checksum: ChecksumModel;
}

/** What a caller asks of a port. What is left out, the driver chooses. */
export interface OpenSettings {
  /** Left out: the best that the port can do. */
  readonly bus?: Bus;
  readonly mode?: ChannelMode;
  readonly bitrate?: number;
  readonly dataBitrate?: number;
  /** Wins over the bit rates. */
  readonly timing?: CanTiming;
  readonly termination?: boolean;
  readonly pullUp?: boolean;
  readonly power?: boolean;
  readonly lin?: Partial<LinSettings>;
  /** CAN only. Frames that none of them lets pass are acknowledged, but not reported. */
  readonly filters?: readonly IdFilter[];
}

/** How a channel runs. A field that its port or bus lacks is absent. */
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

/** What can be changed on an open channel, one group at a time. */
export type SettingChange =
  | ({ readonly group: 'timing' } & CanTiming)
  | { readonly group: 'lin'; readonly version?: LinVersion; readonly checksum?: ChecksumModel }
  | { readonly group: 'mode'; readonly mode: ChannelMode }
  | { readonly group: 'termination'; readonly termination: boolean }
  | { readonly group: 'pull_up'; readonly pullUp: boolean }
  | { readonly group: 'bitrate'; readonly bitrate: number; readonly dataBitrate?: number }
  | { readonly group: 'power'; readonly power: boolean };

export type SettingGroup = SettingChange['group'];
