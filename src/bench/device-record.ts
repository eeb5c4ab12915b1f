import type { ChannelMode, LinRole, SettingGroup } from '../drivers/channel-settings.ts';
import type { PortInfo } from '../drivers/driver.ts';
import type { PortCapabilities } from '../drivers/port-capabilities.ts';
import type { Range } from '../frame/bit-timing.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { LinVersion } from '../frame/lin.ts';
import type { KnownDevice } from './device-list.ts';
import { stableSelector } from './selector.ts';

export const deviceStates = ['present', 'lost'] as const;

export interface PortCapabilitiesRecord {
  readonly modes: readonly ChannelMode[];
  readonly settings: readonly SettingGroup[];
  readonly bitrate: Range;
  readonly data_bitrate: Range | null;
  readonly clock_hz: number | null;
  readonly lin_roles: readonly LinRole[];
  readonly lin_versions: readonly LinVersion[];
  readonly tx_queue: number;
}

export interface PortRecord {
  readonly port: number;
  readonly name: string;
  readonly selector: string;
  /** What it can be opened as, the best last. */
  readonly buses: readonly Bus[];
  /** The slot of its channel, where it is open. */
  readonly channel: number | null;
  readonly capabilities: PortCapabilitiesRecord;
}

/** A device as clients see it. */
export interface DeviceRecord {
  readonly sn: string;
  readonly uid: string;
  readonly name: string;
  readonly driver: string;
  readonly firmware_version: string;
  readonly state: (typeof deviceStates)[number];
  readonly ports: readonly PortRecord[];
}

const capabilitiesRecord = (capabilities: PortCapabilities): PortCapabilitiesRecord => ({
  modes: capabilities.modes,
  settings: capabilities.settings,
  bitrate: capabilities.bitrate,
  data_bitrate: capabilities.dataBitrate ?? null,
  clock_hz: capabilities.clockHz ?? null,
  lin_roles: capabilities.linRoles ?? [],
  lin_versions: capabilities.linVersions ?? [],
  tx_queue: capabilities.txQueue,
});

const portRecord = (sn: string, info: PortInfo, slot: number | undefined): PortRecord => ({
  port: info.port,
  name: info.name,
  selector: stableSelector(sn, info.port),
  buses: info.buses,
  channel: slot ?? null,
  capabilities: capabilitiesRecord(info.capabilities),
});

export const deviceRecord = (
  { driver, info, isPresent }: KnownDevice,
  slotOf: (sn: string, port: number) => number | undefined,
): DeviceRecord => ({
  sn: info.sn,
  uid: info.uid,
  name: info.name,
  driver,
  firmware_version: info.firmwareVersion,
  state: isPresent ? 'present' : 'lost',
  ports: info.ports.map((port) => portRecord(info.sn, port, slotOf(info.sn, port.port))),
});
