import { isDeepStrictEqual } from 'node:util';
import { hasEnhancedChecksum, type LinVersion, linVersions } from '../../frame/lin.ts';
import {
  type ChannelMode,
  type ChannelSettings,
  type LinSettings,
  linRoles,
  type OpenSettings,
  type SettingChange,
} from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import { unsupportedByHardware } from '../refusals.ts';
import { linUartQueueLength } from './lin-line.ts';
import type { LinLineSettings } from './lin-line-ports.ts';

/** The one port of a serial adapter. */
export const linUartPort: PortInfo = {
  port: 0,
  name: 'LIN',
  buses: ['lin'],
  capabilities: {
    modes: ['normal', 'listen_only'],
    settings: ['lin', 'mode', 'bitrate'],
    bitrate: { min: 1000, max: 20_000 },
    linRoles,
    linVersions,
    txQueue: linUartQueueLength,
  },
};

const { capabilities } = linUartPort;
const defaultBitrate = 19_200;

const checksumOf = (version: LinVersion): LinSettings['checksum'] =>
  hasEnhancedChecksum(version) ? 'enhanced' : 'classic';

const checkMode = (mode: ChannelMode): void => {
  const { modes } = capabilities;
  if (modes.includes(mode)) return;
  throw unsupportedByHardware('mode', `A LIN adapter on a UART has no mode ${mode}`, {
    allowed: modes,
  });
};

const checkBitrate = (bitrate: number): void => {
  const { min, max } = capabilities.bitrate;
  if (bitrate >= min && bitrate <= max) return;
  throw unsupportedByHardware('bitrate', `bitrate must be from ${min} to ${max}`, { min, max });
};

/** What no UART can do anything about. */
const checkAbsent = (asked: Readonly<Record<string, unknown>>): void => {
  for (const [setting, value] of Object.entries(asked)) {
    if (value === undefined) continue;
    throw unsupportedByHardware(setting, `A LIN adapter on a UART has no setting ${setting}`);
  }
};

/** How a port runs that is opened with these settings. */
export const openedSettings = (asked: OpenSettings): ChannelSettings => {
  const { bus = 'lin', mode = 'normal', bitrate = defaultBitrate, filters = [] } = asked;
  if (bus !== 'lin') {
    throw unsupportedByHardware('bus', `Port 0 cannot be opened as ${bus}`, {
      allowed: linUartPort.buses,
    });
  }
  const { timing, termination, pullUp: pull_up, power, dataBitrate: data_bitrate } = asked;
  checkAbsent({ timing, termination, pull_up, power, data_bitrate });
  if (filters.length > 0) throw unsupportedByHardware('filters', 'A LIN port has no filters');
  checkMode(mode);
  checkBitrate(bitrate);
  const { role = 'master', version = '2.2' } = asked.lin ?? {};
  const checksum = asked.lin?.checksum ?? checksumOf(version);
  return { bus, mode, bitrate, lin: { role, version, checksum } };
};

const changed = (settings: ChannelSettings, change: SettingChange): ChannelSettings => {
  switch (change.group) {
    case 'mode':
      checkMode(change.mode);
      return { ...settings, mode: change.mode };
    case 'bitrate':
      if (change.dataBitrate !== undefined) checkAbsent({ data_bitrate: change.dataBitrate });
      checkBitrate(change.bitrate);
      return { ...settings, bitrate: change.bitrate };
    case 'lin': {
      if (!settings.lin) return settings;
      const version = change.version ?? settings.lin.version;
      const kept = version === settings.lin.version ? settings.lin.checksum : checksumOf(version);
      return { ...settings, lin: { ...settings.lin, version, checksum: change.checksum ?? kept } };
    }
    default:
      checkAbsent({ [change.group]: true });
      return settings;
  }
};

/** The settings after a change; the very same object if that changes nothing. */
export const changedSettings = (
  settings: ChannelSettings,
  change: SettingChange,
): ChannelSettings => {
  const next = changed(settings, change);
  return isDeepStrictEqual(next, settings) ? settings : next;
};

/** The part of the settings that the node itself minds. */
export const lineSettings = ({ bitrate, mode, lin }: ChannelSettings): LinLineSettings => ({
  bitrate,
  listenOnly: mode === 'listen_only',
  enhanced: lin?.checksum === 'enhanced',
});
