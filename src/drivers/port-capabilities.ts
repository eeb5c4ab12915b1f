import type { Range } from '../frame/bit-timing.ts';
import type { LinVersion } from '../frame/lin.ts';
import type { ChannelMode, LinRole, SettingGroup } from './channel-settings.ts';

export interface PortCapabilities {
  readonly modes: readonly ChannelMode[];
  readonly settings: readonly SettingGroup[];
  readonly bitrate: Range;
  readonly dataBitrate?: Range;
  readonly clockHz?: number;
  readonly linRoles?: readonly LinRole[];
  readonly linVersions?: readonly LinVersion[];
  readonly txQueue: number;
}
