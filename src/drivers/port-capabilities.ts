import type { Range } from '../frame/bit-timing.ts';
import type { LinVersion } from '../frame/lin.ts';
import type { ChannelMode, LinRole, SettingGroup } from './channel-settings.ts';

export interface PortCapabilities {
  readonly modes: readonly ChannelMode[];
  /** Groups that `configure` accepts; others are `unsupported_by_hardware`. */
  readonly settings: readonly SettingGroup[];
  readonly bitrate: Range;
  readonly dataBitrate?: Range;
  /** Clock of CAN bit timings. */
  readonly clockHz?: number;
  readonly linRoles?: readonly LinRole[];
  readonly linVersions?: readonly LinVersion[];
  readonly txQueue: number;
}
