import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { dtcStatusBits } from './dtcs.ts';
import { didQualities } from './linear-did.ts';

const byte = (description: string) => Type.Integer({ minimum: 0, maximum: 255, description });

const hex = (description: string) => Type.String({ description: `${description}, uppercase hex` });

export const UdsSession = named(
  'UdsSession',
  Type.Object({
    session: byte('Session that the ECU entered: 1 default, 2 programming, 3 extended'),
    p2_ms: nullable(counted('P2 of the session in milliseconds'), {
      description: 'Null if the response has no times',
    }),
    p2_star_ms: nullable(counted('P2* of the session in milliseconds')),
  }),
);
export type UdsSession = RecordOf<typeof UdsSession>;

export const UdsReset = named(
  'UdsReset',
  Type.Object({
    reset: byte('1 hard, 2 key off on, 3 soft, 4 and 5 rapid power shutdown on and off'),
    power_down_time_s: nullable(counted('Time of the ECU until it is off, in seconds'), {
      description: 'Only after 4; 255 is not available',
    }),
  }),
);
export type UdsReset = RecordOf<typeof UdsReset>;

export const UdsDidValue = named(
  'UdsDidValue',
  Type.Object({
    did: Type.String({ description: 'Data identifier, four hex digits', examples: ['F190'] }),
    name: nullable(Type.String(), { description: 'Name in dids of the ECU' }),
    data: hex('Bytes of the value'),
    value: nullable(Type.String(), {
      description: 'Value by the codec of the identifier; null unless quality is good',
    }),
    quality: Type.Enum([...didQualities], {
      description: 'Whether the value can be used, or why not',
    }),
    label: nullable(Type.String(), { description: 'Name of a special raw value' }),
  }),
);
export type UdsDidValue = RecordOf<typeof UdsDidValue>;

export const UdsRead = named('UdsRead', Type.Object({ values: Type.Array(UdsDidValue) }));
export type UdsRead = RecordOf<typeof UdsRead>;

export const UdsWrite = named(
  'UdsWrite',
  Type.Object({
    did: Type.String({ description: 'Data identifier that was written, four hex digits' }),
    name: nullable(Type.String(), { description: 'Name in dids of the ECU' }),
  }),
);
export type UdsWrite = RecordOf<typeof UdsWrite>;

const dtcFields = {
  dtc: Type.String({ description: 'DTC, six hex digits', examples: ['012345'] }),
  text: Type.String({ description: 'DTC in its usual form', examples: ['P0123-45'] }),
  status: byte('Status byte'),
  status_bits: Type.Array(Type.Enum([...dtcStatusBits]), {
    description: 'Status bits that are set',
  }),
};

const DtcRecordData = Type.Object({
  record: byte('Record number'),
  data: hex('Bytes of the record; of several, also the records after the first'),
});

export const UdsDtcs = named(
  'UdsDtcs',
  Type.Object({
    availability_mask: nullable(byte('Status bits that the ECU supports')),
    format: nullable(byte('Format of the DTCs: 0 ISO 15031-6, 1 ISO 14229-1, 2 SAE J1939-73'), {
      description: 'Only of a count',
    }),
    count: counted('Number of DTCs'),
    dtcs: Type.Array(Type.Object(dtcFields), { description: 'Empty for a count' }),
    snapshots: Type.Array(
      Type.Object({
        record: byte('Record number'),
        values: Type.Array(UdsDidValue, {
          description: 'Identifiers of known length, up to the first that is not known',
        }),
        data: hex('Identifiers and values that could not be split'),
      }),
    ),
    extended_data: Type.Array(DtcRecordData),
  }),
);
export type UdsDtcs = RecordOf<typeof UdsDtcs>;

export const UdsClear = named(
  'UdsClear',
  Type.Object({
    group: Type.String({ description: 'Group of DTCs, six hex digits; FFFFFF is all' }),
  }),
);
export type UdsClear = RecordOf<typeof UdsClear>;

export const UdsRoutine = named(
  'UdsRoutine',
  Type.Object({
    routine: Type.String({ description: 'Routine identifier, four hex digits' }),
    action: Type.Enum(['start', 'stop', 'result']),
    data: hex('Bytes after the identifier, such as the status of the routine'),
  }),
);
export type UdsRoutine = RecordOf<typeof UdsRoutine>;

export const UdsSecurity = named(
  'UdsSecurity',
  Type.Object({
    level: byte('Odd sub-function that requested the seed'),
    seed: nullable(Type.String(), { description: 'Seed of the ECU, uppercase hex' }),
    unlocked: Type.Boolean({
      description: 'The key was accepted, or a seed of zeros said that the level was unlocked',
    }),
  }),
);
export type UdsSecurity = RecordOf<typeof UdsSecurity>;

export const UdsCommunication = named(
  'UdsCommunication',
  Type.Object({
    control: byte(
      '0 enables rx and tx, 1 rx only, 2 tx only, 3 disables both; 4 and 5 are for one node',
    ),
  }),
);
export type UdsCommunication = RecordOf<typeof UdsCommunication>;

export const UdsDtcSetting = named(
  'UdsDtcSetting',
  Type.Object({ setting: byte('1 on, 2 off: whether the ECU stores DTCs') }),
);
export type UdsDtcSetting = RecordOf<typeof UdsDtcSetting>;

export const UdsIo = named(
  'UdsIo',
  Type.Object({
    did: Type.String({ description: 'Data identifier, four hex digits' }),
    name: nullable(Type.String(), { description: 'Name in dids of the ECU' }),
    control: byte('0 returns control to the ECU, 1 resets to default, 2 freezes, 3 adjusts'),
    data: hex('Control state that the ECU reports'),
  }),
);
export type UdsIo = RecordOf<typeof UdsIo>;

export const UdsMemory = named(
  'UdsMemory',
  Type.Object({
    address: counted('First address'),
    size: counted('Bytes read or written'),
    data: nullable(Type.String(), { description: 'Bytes that were read, uppercase hex' }),
  }),
);
export type UdsMemory = RecordOf<typeof UdsMemory>;
