import { demoSenders } from './demo-names.ts';
import { wiperSetpoint } from './demo-registers.ts';
import type { FrameLayout, SignalLayout, VehicleBus } from './frame-layout.ts';
import { type OutputFrame, outputCodecs, outputFrames, wiperRequests } from './gateway-frames.ts';
import { canFrames } from './vehicle-frames.ts';
import { indicator, wiper } from './vehicle-model.ts';

const senders: Readonly<Record<VehicleBus, string>> = {
  powertrain: demoSenders.powertrain.node,
  body: demoSenders.body.node,
  lin: 'DoorModule',
};

const listener = 'Tester';

const textsOf = (codes: Readonly<Record<string, number>>): readonly string[] => Object.keys(codes);

const onOff = ['off', 'on'];
const door = ['closed', 'open'];

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
  SpeedWarning: onOff,
  Braking: onOff,
  [wiperSetpoint]: textsOf(wiperRequests),
};

/** 29-bit flag in a DBC file. */
const extendedMark = 0x8000_0000;

const numberOf = ({ id, extended }: Pick<FrameLayout, 'id' | 'extended'>): number =>
  extended ? id + extendedMark : id;

type DescribedSignal = Omit<SignalLayout, 'of'>;

interface Described extends Pick<FrameLayout, 'name' | 'id' | 'extended' | 'fd' | 'length'> {
  readonly sender: string;
  readonly periodMs: number;
  readonly signals: readonly DescribedSignal[];
}

const plain = (name: string, startBit: number, bits: number): DescribedSignal => ({
  name,
  startBit,
  bits,
  factor: 1,
  offset: 0,
  unit: '',
});

const ofVehicle = (frame: FrameLayout): Described => ({
  ...frame,
  sender: senders[frame.bus],
  periodMs: frame.periodUs / 1000,
  signals: [plain('AliveCounter', 0, 4), ...frame.signals],
});

const ofGateway = ({ signals, protection = [], ...frame }: OutputFrame): Described => ({
  periodMs: 0,
  ...frame,
  sender: 'Gateway',
  signals: [
    ...protection.map(({ name, startBit, bits }) => plain(name, startBit, bits)),
    ...signals.map(({ name, codec, startBit, unit = '' }) => ({
      factor: 1,
      offset: 0,
      ...outputCodecs[codec],
      name,
      startBit,
      unit,
    })),
  ],
});

const messages = [...canFrames.map(ofVehicle), ...outputFrames.map(ofGateway)];

const signalLine = (signal: DescribedSignal): string => {
  const { name, startBit, bits, signed = false, factor, offset, unit } = signal;
  const span = 2 ** bits;
  const low = signed ? -span / 2 : 0;
  const limits = [low, low + span - 1].map((raw) =>
    Number((raw * factor + offset).toPrecision(12)),
  );
  const sign = signed ? '-' : '+';
  return ` SG_ ${name} : ${startBit}|${bits}@1${sign} (${factor},${offset}) [${limits.join('|')}] "${unit}" ${listener}`;
};

const messageLines = (frame: Described): string[] => [
  `BO_ ${numberOf(frame)} ${frame.name}: ${frame.length} ${frame.sender}`,
  ...frame.signals.map(signalLine),
  '',
];

const frameFormat = ({ fd = false, extended = false }: Described): number =>
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

const attributeLines = (frame: Described): string[] => {
  const number = numberOf(frame);
  return [
    `BA_ "GenMsgCycleTime" BO_ ${number} ${frame.periodMs};`,
    `BA_ "VFrameFormat" BO_ ${number} ${frameFormat(frame)};`,
    ...(frame.fd ? [`BA_ "CANFD_BRS" BO_ ${number} 1;`] : []),
  ];
};

const valueLines = (frame: Described): string[] =>
  frame.signals.flatMap(({ name }) => {
    const texts = valueTexts[name];
    if (!texts) return [];
    const pairs = texts.map((text, raw) => `${raw} "${text}"`).join(' ');
    return [`VAL_ ${numberOf(frame)} ${name} ${pairs} ;`];
  });

export const vehicleDatabase = (): string =>
  [
    'VERSION "1"',
    '',
    'NS_ :',
    '',
    'BS_:',
    '',
    `BU_: ${[...new Set(messages.map(({ sender }) => sender)), listener].join(' ')}`,
    '',
    ...messages.flatMap(messageLines),
    'CM_ "Busbar demo vehicle";',
    ...attributeDefinitions,
    ...messages.flatMap(attributeLines),
    ...messages.flatMap(valueLines),
    '',
  ].join('\n');
