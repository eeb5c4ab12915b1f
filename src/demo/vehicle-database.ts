import { demoSenders } from './demo-names.ts';
import type { FrameLayout, SignalLayout, VehicleBus } from './frame-layout.ts';
import { canFrames } from './vehicle-frames.ts';
import { indicator, wiper } from './vehicle-model.ts';

/** Who sends what is on a bus. */
const senders: Readonly<Record<VehicleBus, string>> = {
  powertrain: demoSenders.powertrain.node,
  body: demoSenders.body.node,
  lin: 'DoorModule',
};

const listener = 'Tester';

const textsOf = (codes: Readonly<Record<string, number>>): readonly string[] => Object.keys(codes);

const onOff = ['off', 'on'];
const door = ['closed', 'open'];

/** What raw values are called, by signal. */
const valueTexts: Readonly<Record<string, readonly string[]>> = {
  Gear: ['park', '1', '2', '3', '4', '5', '6'],
  BrakePedal: ['released', 'pressed'],
  DriverDoor: door,
  PassengerDoor: door,
  RearLeftDoor: door,
  RearRightDoor: door,
  Indicator: textsOf(indicator),
  IndicatorLamp: onOff,
  LowBeam: onOff,
  BrakeLight: onOff,
  Wiper: textsOf(wiper),
};

/** Marks an identifier of 29 bits in a DBC file. */
const extendedMark = 0x8000_0000;

const numberOf = ({ id, extended }: FrameLayout): number => (extended ? id + extendedMark : id);

const aliveCounter = ` SG_ AliveCounter : 0|4@1+ (1,0) [0|15] "" ${listener}`;

const signalLine = (signal: SignalLayout): string => {
  const { name, startBit, bits, signed = false, factor, offset, unit } = signal;
  const span = 2 ** bits;
  const low = signed ? -span / 2 : 0;
  const limits = [low, low + span - 1].map((raw) =>
    Number((raw * factor + offset).toPrecision(12)),
  );
  const sign = signed ? '-' : '+';
  return ` SG_ ${name} : ${startBit}|${bits}@1${sign} (${factor},${offset}) [${limits.join('|')}] "${unit}" ${listener}`;
};

const messageLines = (frame: FrameLayout): string[] => [
  `BO_ ${numberOf(frame)} ${frame.name}: ${frame.length} ${senders[frame.bus]}`,
  aliveCounter,
  ...frame.signals.map(signalLine),
  '',
];

const frameFormat = ({ fd = false, extended = false }: FrameLayout): number =>
  (fd ? 14 : 0) + (extended ? 1 : 0);

const frameFormats = [
  'StandardCAN',
  'ExtendedCAN',
  'reserved',
  'J1939PG',
  ...Array.from({ length: 10 }, () => 'reserved'),
  'StandardCAN_FD',
  'ExtendedCAN_FD',
];

const attributeDefinitions = [
  'BA_DEF_ "BusType" STRING ;',
  'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;',
  'BA_DEF_ BO_ "CANFD_BRS" ENUM "0","1";',
  `BA_DEF_ BO_ "VFrameFormat" ENUM ${frameFormats.map((name) => `"${name}"`).join(',')};`,
  'BA_DEF_DEF_ "BusType" "";',
  'BA_DEF_DEF_ "GenMsgCycleTime" 0;',
  'BA_DEF_DEF_ "CANFD_BRS" "0";',
  'BA_DEF_DEF_ "VFrameFormat" "StandardCAN";',
  'BA_ "BusType" "CAN FD";',
];

const attributeLines = (frame: FrameLayout): string[] => {
  const number = numberOf(frame);
  return [
    `BA_ "GenMsgCycleTime" BO_ ${number} ${frame.periodUs / 1000};`,
    `BA_ "VFrameFormat" BO_ ${number} ${frameFormat(frame)};`,
    ...(frame.fd ? [`BA_ "CANFD_BRS" BO_ ${number} 1;`] : []),
  ];
};

const valueLines = (frame: FrameLayout): string[] =>
  frame.signals.flatMap(({ name }) => {
    const texts = valueTexts[name];
    if (!texts) return [];
    const pairs = texts.map((text, raw) => `${raw} "${text}"`).join(' ');
    return [`VAL_ ${numberOf(frame)} ${name} ${pairs} ;`];
  });

/** The database of the demonstration vehicle's CAN buses, as a DBC file. */
export const vehicleDatabase = (): string =>
  [
    'VERSION "1"',
    '',
    'NS_ :',
    '',
    'BS_:',
    '',
    `BU_: ${[...new Set(canFrames.map(({ bus }) => senders[bus])), listener].join(' ')}`,
    '',
    ...canFrames.flatMap(messageLines),
    'CM_ "The demonstration vehicle of Busbar";',
    ...attributeDefinitions,
    ...canFrames.flatMap(attributeLines),
    ...canFrames.flatMap(valueLines),
    '',
  ].join('\n');
