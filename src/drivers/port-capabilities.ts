import type { Range } from '../frame/bit-timing.ts';
import type { LinVersion } from '../frame/lin.ts';
import type { ChannelMode, LinRole, SettingGroup } from './channel-settings.ts';

/** What a port can do. */
export interface PortCapabilities {
  readonly modes: readonly ChannelMode[];
  /** Groups that `configure` takes; the others are `unsupported_by_hardware`. */
  readonly settings: readonly SettingGroup[];
  readonly bitrate: Range;
  /** CAN FD only. */
  readonly dataBitrate?: Range;
  /** The clock that CAN bit timings divide. */
  readonly clockHz?: number;
  readonly linRoles?: readonly LinRole[];
  readonly linVersions?: readonly LinVersion[];
  /** Frames that can be queued before `send` answers `full`. */
  readonly txQueue: number;
}
