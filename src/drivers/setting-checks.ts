import { isDeepStrictEqual } from 'node:util';
import type { Range } from '../frame/bit-timing.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type {
  ChannelMode,
  ChannelSettings,
  OpenSettings,
  SettingChange,
  SettingGroup,
} from './channel-settings.ts';
import type { PortInfo } from './driver.ts';
import { unsupportedByHardware } from './refusals.ts';

export const defaultBitrate = 500_000;
export const defaultDataBitrate = 2_000_000;

const shown = ({ port, name }: PortInfo): string => `Port ${port} (${name})`;

export const checkedBus = (
  info: PortInfo,
  asked: Bus | undefined,
  because: (bus: Bus) => string = () => '',
): Bus => {
  const bus = asked ?? (info.buses.at(-1) as Bus);
  if (info.buses.includes(bus)) return bus;
  throw unsupportedByHardware('bus', `${shown(info)} cannot be opened as ${bus}${because(bus)}`, {
    allowed: info.buses,
  });
};

export const checkGroup = (info: PortInfo, group: SettingGroup): void => {
  if (info.capabilities.settings.includes(group)) return;
  throw unsupportedByHardware(group, `${shown(info)} has no setting ${group}`);
};

export const checkAskedGroups = (info: PortInfo, asked: OpenSettings): void => {
  const groups: readonly (readonly [SettingGroup, unknown])[] = [
    ['timing', asked.timing],
    ['lin', asked.lin],
    ['termination', asked.termination],
    ['pull_up', asked.pullUp],
    ['power', asked.power],
  ];
  for (const [group, value] of groups) if (value !== undefined) checkGroup(info, group);
};

export const restartsController = (group: SettingGroup): boolean =>
  group === 'mode' || group === 'bitrate' || group === 'timing';

export const checkMode = (info: PortInfo, mode: ChannelMode): void => {
  const { modes } = info.capabilities;
  if (modes.includes(mode)) return;
  throw unsupportedByHardware('mode', `${shown(info)} has no mode ${mode}`, { allowed: modes });
};

export const checkRange = (setting: string, value: number, { min, max }: Range): void => {
  if (value >= min && value <= max) return;
  throw unsupportedByHardware(setting, `${setting} must be from ${min} to ${max}`, { min, max });
};

export const noDataPhase = (setting: string): Error =>
  unsupportedByHardware(setting, 'Only a canfd channel has a data bit rate');

type Changed<Change> = (
  info: PortInfo,
  settings: ChannelSettings,
  change: Change,
) => ChannelSettings;

/** Checks a change, then applies it. Returns the same object if nothing changes. */
export const checkedChanges =
  (changed: Changed<Exclude<SettingChange, { group: 'mode' }>>): Changed<SettingChange> =>
  (info, settings, change) => {
    checkGroup(info, change.group);
    if (change.group === 'mode') checkMode(info, change.mode);
    const next =
      change.group === 'mode'
        ? { ...settings, mode: change.mode }
        : changed(info, settings, change);
    return isDeepStrictEqual(next, settings) ? settings : next;
  };
