import { linVersions } from '../../frame/lin.ts';
import { type ChannelSettings, linRoles, type OpenSettings } from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import { changedLin, defaultLinBitrate, openedLin } from '../lin/lin-settings.ts';
import { unsupportedByHardware } from '../refusals.ts';
import {
  checkAskedGroups,
  checkedBus,
  checkedChanges,
  checkMode,
  checkRange,
  noDataPhase,
} from '../setting-checks.ts';
import { linUartQueueLength } from './lin-line.ts';
import type { LinLineSettings } from './lin-line-ports.ts';

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

const checkBitrates = (bitrate: number, dataBitrate: number | undefined): void => {
  if (dataBitrate !== undefined) throw noDataPhase('data_bitrate');
  checkRange('bitrate', bitrate, linUartPort.capabilities.bitrate);
};

export const openedSettings = (asked: OpenSettings): ChannelSettings => {
  const { mode = 'normal', bitrate = defaultLinBitrate, dataBitrate, filters = [] } = asked;
  const bus = checkedBus(linUartPort, asked.bus);
  checkAskedGroups(linUartPort, asked);
  if (filters.length > 0) throw unsupportedByHardware('filters', 'A LIN port has no filters');
  checkMode(linUartPort, mode);
  checkBitrates(bitrate, dataBitrate);
  return { bus, mode, bitrate, lin: openedLin(asked.lin, 'master') };
};

export const changedSettings = checkedChanges((_, settings, change) => {
  switch (change.group) {
    case 'bitrate':
      checkBitrates(change.bitrate, change.dataBitrate);
      return { ...settings, bitrate: change.bitrate };
    case 'lin':
      return settings.lin ? { ...settings, lin: changedLin(settings.lin, change) } : settings;
    default:
      return settings;
  }
});

export const lineSettings = ({ bitrate, mode, lin }: ChannelSettings): LinLineSettings => ({
  bitrate,
  listenOnly: mode === 'listen_only',
  enhanced: lin?.checksum === 'enhanced',
});
