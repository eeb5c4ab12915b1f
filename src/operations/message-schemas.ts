import { Type } from 'typebox';
import { directions } from '../frame/event-filter.ts';
import { checksumModels, maxExtendedId } from '../frame/frame.ts';
import { idForm, idPatternForm, idPatternText, idText } from '../frame/id-pattern.ts';
import { frameTypes } from '../frame/request-fields.ts';
import { withDefault } from './defaults.ts';
import { batchLimit, historyPage } from './limits.ts';

/**
 * A CAN or LIN identifier, or a mask. Strings are hex, as printed; programs can use numbers.
 */
export const identifier = (description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: maxExtendedId, 'x-hex': true }),
      Type.String({ pattern: idText, 'x-form': idForm }),
    ],
    {
      description,
      'x-form': `an integer from 0 to 0x${maxExtendedId.toString(16).toUpperCase()}, or ${idForm}`,
      'x-hint': '<hex>',
      examples: [0x123],
    },
  );

export const frameFields = {
  type: Type.Optional(
    Type.Enum([...frameTypes], {
      description: 'Frame type; default: data on CAN, master-write on LIN',
    }),
  ),
  id: Type.Optional(
    identifier(
      'Identifier; required except for sync-break. A string is hex as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits or above 7FF: 29-bit)',
    ),
  ),
  extended: Type.Optional(
    Type.Boolean({
      description:
        'Whether the identifier is 29-bit; default: from the number of digits of a string, false for a number',
    }),
  ),
  fd: Type.Optional(Type.Boolean({ description: 'CAN FD frame' })),
  brs: Type.Optional(
    Type.Boolean({ description: 'CAN FD: send the data at the data bit rate (BRS)' }),
  ),
  esi: Type.Optional(Type.Boolean({ description: 'CAN FD: error state indicator (ESI)' })),
  dlc: Type.Optional(
    Type.Integer({
      description: 'Data length code; default: from the data',
      minimum: 0,
      maximum: 15,
    }),
  ),
  data: Type.Optional(
    Type.String({
      description: 'Payload in hex; spaces and separators between bytes are allowed',
      maxLength: 400,
      examples: ['DE AD BE EF'],
    }),
  ),
  checksum: Type.Optional(
    Type.Enum([...checksumModels], {
      description: 'LIN checksum model; default: that of the channel',
    }),
  ),
};

/** Requires a frame field unless another field has a certain value, or a message is named. */
export const neededForFrame = (field: string, exception: Readonly<Record<string, string>>) => {
  const { anyOf } = neededUnless(field, exception);
  return { anyOf: [...anyOf, { required: ['message'] }] };
};

/** Requires a body field unless another field has a certain value. */
export const neededUnless = (field: string, exception: Readonly<Record<string, string>>) => ({
  anyOf: [
    { required: [field] },
    ...Object.entries(exception).map(([name, value]) => ({
      required: [name],
      properties: { [name]: { enum: [value] } },
    })),
  ],
});

export const signalTexts = Type.Optional(
  Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 1024 }), {
    description:
      'Values by signal name: a decimal number is a physical value, other text a label. JSON numbers are refused, because they are not exact',
    'x-hint': '<Signal>=<value> …',
    examples: [{ EngineSpeed: '780', Mode: 'Idle' }],
  }),
);

export const nameFields = {
  message: Type.Optional(
    Type.String({
      description:
        'Message of an attached database, instead of a frame: identifier, format and length come from there',
      minLength: 1,
      maxLength: 256,
      examples: ['Engine'],
    }),
  ),
  signals: signalTexts,
  raw: Type.Optional(
    Type.Boolean({
      description:
        'Whether numbers in signals are raw values, which only their bits limit; default: false',
    }),
  ),
  database: Type.Optional(
    Type.String({
      description: 'Database of the message; default: the only attached one that has it',
      minLength: 1,
      maxLength: 128,
      examples: ['powertrain'],
    }),
  ),
};

export const nameErrors = [
  'ambiguous_message',
  'database_not_found',
  'message_not_found',
  'signal_not_found',
] as const;

export const frameText = Type.Optional(
  Type.String({
    description:
      'Frame in frame notation, instead of type, id, data and other fields; a word without # is a message name',
    minLength: 1,
    maxLength: 300,
    examples: ['123#DEADBEEF'],
  }),
);

export const frameList = Type.Optional(
  Type.String({
    description: `Up to ${batchLimit.listFrames} frames in frame notation, one per line`,
    minLength: 1,
    examples: ['123#DEADBEEF\n124#01'],
  }),
);

export const frameFile = Type.Optional(
  Type.String({
    description: `File with up to ${batchLimit.listFrames} frames to send in order, one per line: 123#DEADBEEF, or a candump log line, whose time and interface are ignored. - reads standard input and sends each line as it arrives`,
    minLength: 1,
    maxLength: 4096,
    'x-stdin': true,
    'x-hint': '<path>|-',
    examples: ['wake-up.log'],
  }),
);

export const timeStyles = ['absolute', 'date', 'relative', 'delta'] as const;
export type TimeStyle = (typeof timeStyles)[number];

export const timeField = withDefault(
  Type.Enum([...timeStyles], {
    description:
      'Timestamp format: Unix seconds, UTC date, since the first line, or since the previous line (candump -t a, A, z, d)',
  }),
  'absolute',
);

export const notationField = withDefault(
  Type.Boolean({
    description:
      'Print frames as 123##1AABB, in lines that message send --file accepts (candump -L). What cannot be sent is a comment',
  }),
  false,
);

export const durationText = (description: string) =>
  Type.Optional(
    Type.String({
      description,
      pattern: '^[0-9]{1,12}(\\.[0-9]{1,6})?(us|ms|s)$',
      'x-form': 'a number followed by us, ms or s',
      examples: ['10ms'],
    }),
  );

export const batchFields = {
  count: withDefault(
    Type.Integer({
      description: 'Number of times to send the frame',
      minimum: 1,
      maximum: batchLimit.frames,
    }),
    1,
  ),
  cycle_us: withDefault(
    Type.Integer({
      description: 'Cycle time in microseconds; 0 sends as fast as the port allows',
      minimum: 0,
      maximum: batchLimit.cycleUs,
      examples: [10_000],
    }),
    0,
  ),
  timeout_ms: withDefault(
    Type.Integer({
      description:
        'How long a frame may wait for space in the queue, or a LIN read for its response',
      minimum: 1,
      maximum: 60_000,
    }),
    1000,
  ),
};

export const cursorFields = {
  channel: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'Channels to receive from, by any selector; default: all',
      maxItems: 64,
      examples: [['SIM00001/0']],
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      description: 'Event ID to resume after',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [0],
    }),
  ),
};

export const filterFields = {
  id: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 32,
        pattern: idPatternText,
        'x-form': idPatternForm,
        'x-hint': '<hex>',
      }),
      {
        description:
          'Identifiers to include, in hex as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits: 29-bit), a range 100-1FF, or identifier and mask 123:7FF',
        maxItems: 64,
        examples: [['100-1FF']],
      },
    ),
  ),
  direction: Type.Optional(
    Type.Enum([...directions], { description: 'Only received (rx) or only sent (tx) frames' }),
  ),
};

export const intervalField = {
  interval_ms: withDefault(
    Type.Integer({
      description:
        'Minimum time in milliseconds between two writes; events in between are sent together, which costs the client less. With a short history it is shorter, so that no event is overwritten',
      minimum: 0,
      maximum: 1000,
      examples: [50],
    }),
    0,
  ),
};

export const decodeField = {
  decode: withDefault(
    Type.Boolean({
      description: 'Add the message and its signals by the databases attached to the channel',
    }),
    false,
  ),
};

export const endFields = (what: string) => ({
  count: Type.Optional(
    Type.Integer({
      description: `Stop after this many ${what}`,
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [100],
    }),
  ),
  duration_ms: Type.Optional(
    Type.Integer({
      description: 'Stop after this many milliseconds',
      minimum: 1,
      maximum: 2_147_483_647,
      examples: [10_000],
    }),
  ),
});

export const limitField = withDefault(
  Type.Integer({
    description: 'Maximum number of events; the response size limit may reduce it',
    minimum: 1,
    maximum: historyPage.maximum,
  }),
  historyPage.default,
);
