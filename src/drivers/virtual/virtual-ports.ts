import { canClockHz } from '../../frame/bit-timing.ts';
import { linVersions } from '../../frame/lin.ts';
import { channelModes, type LinRole, linRoles } from '../channel-settings.ts';
import type { DeviceInfo, PortInfo } from '../driver.ts';
import { canTxQueueLength } from './can-node.ts';
import { linTxQueueLength } from './lin-node.ts';

const canPort = (port: number): PortInfo => ({
  port,
  name: `CAN FD ${port}`,
  buses: ['can', 'canfd'],
  capabilities: {
    modes: channelModes,
    settings: ['timing', 'mode', 'termination', 'bitrate'],
    bitrate: { min: 10_000, max: 1_000_000 },
    dataBitrate: { min: 100_000, max: 8_000_000 },
    clockHz: canClockHz,
    txQueue: canTxQueueLength,
  },
});

const linPort = (port: number): PortInfo => ({
  port,
  name: `LIN ${port}`,
  buses: ['lin'],
  capabilities: {
    modes: ['normal', 'listen_only'],
    settings: ['lin', 'mode', 'pull_up', 'bitrate', 'power'],
    bitrate: { min: 1_000, max: 20_000 },
    linRoles,
    linVersions,
    txQueue: linTxQueueLength,
  },
});

export const virtualDevice: DeviceInfo = {
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  name: 'Virtual bench',
  firmwareVersion: '1.0.0',
  ports: [canPort(0), canPort(1), canPort(2), canPort(3), linPort(4), linPort(5)],
};

export const canSegments: readonly (readonly number[])[] = [
  [0, 1],
  [2, 3],
];

/** Default roles, which form a working pair. */
export const defaultLinRole = (port: number): LinRole => (port === 4 ? 'master' : 'slave');
