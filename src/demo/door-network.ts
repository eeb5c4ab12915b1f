import { doorNad } from './demo-names.ts';
import type { FrameLayout, SignalLayout } from './frame-layout.ts';
import { lightSwitch, linSlotUs, rainSensor, wiperCommand } from './vehicle-frames.ts';
import { indicator, wiper } from './vehicle-model.ts';

const master = 'DoorMaster';
const slave = 'DoorModule';
const sendErrors = 'ResponseError';

interface Described {
  readonly layout: FrameLayout;
  readonly publisher: string;
}

const frames: readonly Described[] = [
  { layout: wiperCommand, publisher: master },
  { layout: lightSwitch, publisher: slave },
  { layout: rainSensor, publisher: slave },
];

const codes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  WiperMode: wiper,
  LowBeamSwitch: { off: 0, on: 1 },
  IndicatorLever: indicator,
};

type Placed = Pick<SignalLayout, 'name' | 'startBit' | 'bits'>;

/** Signals of a network have different names. */
const alive = ({ name }: FrameLayout): Placed => ({
  name: `${name}Alive`,
  startBit: 0,
  bits: 4,
});

/** Never set: the module of the demonstration makes no mistakes. */
const errorBit: Placed = { name: sendErrors, startBit: 15, bits: 1 };

const signalsOf = ({ layout }: Described): readonly Placed[] => [
  alive(layout),
  ...layout.signals,
  ...(layout === lightSwitch ? [errorBit] : []),
];

const otherNode = (publisher: string): string => (publisher === master ? slave : master);

const signalLines = frames.flatMap((frame) =>
  signalsOf(frame).map(
    ({ name, bits }) => `  ${name}: ${bits}, 0, ${frame.publisher}, ${otherNode(frame.publisher)};`,
  ),
);

const frameLines = frames.flatMap((frame) => [
  `  ${frame.layout.name}: ${frame.layout.id}, ${frame.publisher}, ${frame.layout.length} {`,
  ...signalsOf(frame).map(({ name, startBit }) => `    ${name}, ${startBit};`),
  '  }',
]);

const encodingOf = ({ name, bits, factor, offset, unit }: SignalLayout): string[] => {
  const texts = codes[name];
  const values = texts
    ? Object.entries(texts).map(([text, raw]) => `    logical_value, ${raw}, "${text}";`)
    : [`    physical_value, 0, ${2 ** bits - 1}, ${factor}, ${offset}, "${unit}";`];
  return [`  ${name}Encoding {`, ...values, '  }'];
};

const diagnosticSlots = ['MasterReq', 'SlaveResp', 'SlaveResp'] as const;
const slotMs = linSlotUs / 2000;

const coded = frames.flatMap(({ layout }) => layout.signals);

/** Description of the LIN network of the car, with the schedule that it runs. */
export const doorNetwork = (): string =>
  [
    'LIN_description_file;',
    'LIN_protocol_version = "2.2";',
    'LIN_language_version = "2.2";',
    'LIN_speed = 19.2 kbps;',
    `Nodes { Master: ${master}, 5 ms, 0.1 ms; Slaves: ${slave}; }`,
    'Signals {',
    ...signalLines,
    '}',
    'Frames {',
    ...frameLines,
    '}',
    'Node_attributes {',
    `  ${slave} {`,
    '    LIN_protocol = "2.2";',
    `    configured_NAD = ${doorNad};`,
    `    initial_NAD = ${doorNad};`,
    '    product_id = 0x7FFE, 0x1, 1;',
    `    response_error = ${sendErrors};`,
    '    P2_min = 50 ms;',
    '    ST_min = 0 ms;',
    `    configurable_frames { ${frames.map(({ layout }) => `${layout.name};`).join(' ')} }`,
    '  }',
    '}',
    'Schedule_tables {',
    '  Drive {',
    ...frames.flatMap(({ layout }, index) =>
      [layout.name, diagnosticSlots[index]].map((slot) => `    ${slot} delay ${slotMs} ms;`),
    ),
    '  }',
    '}',
    'Signal_encoding_types {',
    ...coded.flatMap(encodingOf),
    '}',
    'Signal_representation {',
    ...coded.map(({ name }) => `  ${name}Encoding: ${name};`),
    '}',
    '',
  ].join('\n');
