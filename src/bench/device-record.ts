import { type Static, Type } from 'typebox';
import { named, nullable } from '../base/schema/schemas.ts';
import { channelModes, linRoles } from '../drivers/channel-settings.ts';
import type { PortInfo } from '../drivers/driver.ts';
import { buses } from '../frame/frm2-layout.ts';
import { linVersions } from '../frame/lin.ts';
import { hasRestart } from './bus-off-recovery.ts';
import { settingGroups } from './change-groups.ts';
import type { KnownDevice } from './device-list.ts';
import { stableSelector } from './selector.ts';

const Range = Type.Object({ min: Type.Number(), max: Type.Number() });

const PortRecord = Type.Object({
  port: Type.Integer({ minimum: 0 }),
  name: Type.String(),
  selector: Type.String({ examples: ['SIM00001/0'] }),
  buses: Type.Array(Type.Enum([...buses]), {
    description: 'Protocols that the port supports, the most capable last',
  }),
  channel: nullable(Type.Integer({ minimum: 0 }), { description: 'Slot of the open channel' }),
  capabilities: Type.Object({
    modes: Type.Array(Type.Enum([...channelModes])),
    settings: Type.Array(Type.Enum([...settingGroups]), {
      description: 'Settings that can be changed while the channel is open',
    }),
    bitrate: Range,
    data_bitrate: nullable(Range),
    clock_hz: nullable(Type.Integer()),
    lin_roles: Type.Array(Type.Enum([...linRoles])),
    lin_versions: Type.Array(Type.Enum([...linVersions])),
    tx_queue: Type.Integer({ description: 'Number of frames that can be queued' }),
  }),
});
type PortRecord = Static<typeof PortRecord>;

export const DeviceRecord = named(
  'Device',
  Type.Object({
    sn: Type.String(),
    uid: Type.String(),
    name: Type.String(),
    driver: Type.String(),
    firmware_version: Type.String(),
    state: Type.Enum(['present', 'lost']),
    needs: nullable(
      Type.String({
        description:
          'Command that root has to run once before the port can be opened; null if none is needed',
        examples: ['ip link set can0 up type can bitrate 500000'],
      }),
    ),
    ports: Type.Array(PortRecord),
  }),
);
export type DeviceRecord = Static<typeof DeviceRecord>;

const capabilitiesRecord = ({ capabilities, buses }: PortInfo): PortRecord['capabilities'] => ({
  modes: [...capabilities.modes],
  settings: [...capabilities.settings, ...(hasRestart(buses) ? ['restart_ms' as const] : [])],
  bitrate: capabilities.bitrate,
  data_bitrate: capabilities.dataBitrate ?? null,
  clock_hz: capabilities.clockHz ?? null,
  lin_roles: [...(capabilities.linRoles ?? [])],
  lin_versions: [...(capabilities.linVersions ?? [])],
  tx_queue: capabilities.txQueue,
});

const portRecord = (sn: string, info: PortInfo, slot: number | undefined): PortRecord => ({
  port: info.port,
  name: info.name,
  selector: stableSelector(sn, info.port),
  buses: [...info.buses],
  channel: slot ?? null,
  capabilities: capabilitiesRecord(info),
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
  needs: info.needs ?? null,
  ports: info.ports.map((port) => portRecord(info.sn, port, slotOf(info.sn, port.port))),
});
