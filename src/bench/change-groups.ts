import { invalidArgument } from '../base/errors/busbar-error.ts';
import type {
  ChannelSettings,
  SettingGroup as HardwareGroup,
  SettingChange,
} from '../drivers/channel-settings.ts';
import { checkLinModel, type OpenSettingsRequest, timingOf } from './open-settings.ts';

export interface ChangeRequest extends Omit<OpenSettingsRequest, 'bus' | 'lin'> {
  readonly lin?: Pick<NonNullable<OpenSettingsRequest['lin']>, 'version' | 'checksum'> | undefined;
}

export type SettingGroup = HardwareGroup | 'restart_ms';

export const changeGroups: Readonly<Record<SettingGroup, readonly (keyof ChangeRequest)[]>> = {
  timing: ['timing'],
  lin: ['lin'],
  mode: ['mode'],
  termination: ['termination'],
  pull_up: ['pull_up'],
  bitrate: ['bitrate', 'data_bitrate'],
  power: ['power'],
  restart_ms: ['restart_ms'],
};
export const settingGroups = Object.keys(changeGroups) as readonly SettingGroup[];

const groupsIn = (request: ChangeRequest): readonly SettingGroup[] =>
  settingGroups.filter((group) =>
    changeGroups[group].some((field) => request[field] !== undefined),
  );

export const checkChange = (request: ChangeRequest): void => {
  const groups = groupsIn(request);
  if (groups.length !== 1) {
    throw invalidArgument(
      groups[0] ?? '',
      `Exactly one group of settings can be changed at a time: ${settingGroups.join(', ')}`,
      { groups },
    );
  }
  const { lin } = request;
  if (lin && lin.version === undefined && lin.checksum === undefined) {
    throw invalidArgument('lin', 'lin requires a version or a checksum', { groups });
  }
};

/**
 * Returns the change for the driver. A data rate without a bit rate keeps the bit rate. A
 * checksum alone must match the LIN version; a version alone implies its checksum.
 */
export const settingChange = (
  request: ChangeRequest,
  current: Pick<ChannelSettings, 'bitrate' | 'lin'>,
): SettingChange => {
  checkChange(request);
  const { timing, lin, mode, termination, pull_up, power } = request;
  if (timing) return { group: 'timing', ...timingOf(timing) };
  if (lin) {
    const { version, checksum } = lin;
    checkLinModel({ version: version ?? current.lin?.version, checksum });
    return { group: 'lin', ...(version && { version }), ...(checksum && { checksum }) };
  }
  if (mode) return { group: 'mode', mode };
  if (termination !== undefined) return { group: 'termination', termination };
  if (pull_up !== undefined) return { group: 'pull_up', pullUp: pull_up };
  if (power !== undefined) return { group: 'power', power };
  const { bitrate = current.bitrate, data_bitrate: dataBitrate } = request;
  return { group: 'bitrate', bitrate, ...(dataBitrate !== undefined && { dataBitrate }) };
};
