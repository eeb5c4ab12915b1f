import { Type } from 'typebox';
import { RestartMs } from '../bench/bench-record.ts';
import { TimingSettings } from '../bench/channel-record.ts';
import { channelModes, linRoles } from '../drivers/channel-settings.ts';
import { checksumModels } from '../frame/frame.ts';
import { buses } from '../frame/frm2-layout.ts';
import { linVersions } from '../frame/lin.ts';

export const selector = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 200, examples: ['SIM00001/0'] });

export const pathSelector = selector(
  'Channel selector: <sn>/<port>, <uid>/<port>, name, logical network or slot; in a path, write / as %2F',
);

const closed = { additionalProperties: false };

const bitrate = Type.Integer({
  description: 'Bit rate in bit/s; on CAN FD, the nominal bit rate',
  minimum: 1,
  maximum: 1_000_000,
  examples: [500_000],
  'x-bit-rate': true,
});

const dataBitrate = Type.Integer({
  description: 'CAN FD data bit rate in bit/s',
  minimum: 1,
  maximum: 20_000_000,
  examples: [2_000_000],
  'x-bit-rate': true,
});

const mode = Type.Enum([...channelModes], { description: 'Operating mode of the channel' });
const termination = Type.Boolean({ description: 'Whether the bus termination in the port is on' });
const pullUp = Type.Boolean({ description: 'LIN: whether the master pull-up resistor is on' });
const power = Type.Boolean({ description: 'LIN: whether the port powers the bus' });
const version = Type.Enum([...linVersions]);
const checksum = Type.Enum([...checksumModels]);

export const openSettings = {
  name: Type.Optional(
    Type.String({
      description: 'Name for the channel, usable as a selector',
      minLength: 1,
      maxLength: 64,
      examples: ['powertrain'],
    }),
  ),
  bus: Type.Optional(
    Type.Enum([...buses], {
      description:
        'Protocol to open the port with; default: the most capable one that the port supports',
    }),
  ),
  mode: Type.Optional(mode),
  bitrate: Type.Optional(bitrate),
  data_bitrate: Type.Optional(dataBitrate),
  timing: Type.Optional({
    ...TimingSettings,
    description: 'CAN bit timing; overrides the bit rates',
  }),
  termination: Type.Optional(termination),
  pull_up: Type.Optional(pullUp),
  power: Type.Optional(power),
  lin: Type.Optional(
    Type.Object(
      {
        role: Type.Optional(Type.Enum([...linRoles])),
        version: Type.Optional(version),
        checksum: Type.Optional(checksum),
      },
      { ...closed, description: 'LIN role, version and checksum model' },
    ),
  ),
  restart_ms: Type.Optional(RestartMs),
};

/** Setting groups. A change contains exactly one. */
export const changeSettings = {
  timing: Type.Optional({
    ...TimingSettings,
    description: 'Nominal and data bit timing, set together',
  }),
  lin: Type.Optional(
    Type.Object(
      { version: Type.Optional(version), checksum: Type.Optional(checksum) },
      { ...closed, description: 'LIN version and checksum model, set together' },
    ),
  ),
  mode: Type.Optional(mode),
  termination: Type.Optional(termination),
  pull_up: Type.Optional(pullUp),
  bitrate: Type.Optional(bitrate),
  data_bitrate: Type.Optional(dataBitrate),
  power: Type.Optional(power),
  restart_ms: Type.Optional(RestartMs),
};
