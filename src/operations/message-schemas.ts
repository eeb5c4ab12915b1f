import { Type } from 'typebox';
import { directions } from '../frame/event-filter.ts';
import { checksumModels, maxExtendedId } from '../frame/frame.ts';
import { idForm, idPatternForm, idPatternText, idText } from '../frame/id-pattern.ts';
import { frameTypes } from '../frame/request-fields.ts';
import { withDefault } from './defaults.ts';
import { batchLimit, historyPage } from './limits.ts';

/** A CAN or LIN identifier, or a mask. Text is hex, as printed; programs may use numbers. */
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
      description: 'What to send; data on CAN and master-write on LIN if left out',
    }),
  ),
  id: Type.Optional(
    identifier(
      'Identifier; needed in all but a sync-break. Text is hex as it is printed: 123 (up to 3 digits: 11 bits and LIN), 18FF50E5 (8 digits, or above 7FF: 29 bits)',
    ),
  ),
  extended: Type.Optional(
    Type.Boolean({
      description:
        'Whether the identifier has 29 bits; if left out, text has as many as its digits tell, and a number 11',
    }),
  ),
  fd: Type.Optional(Type.Boolean({ description: 'CAN FD frame' })),
  brs: Type.Optional(Type.Boolean({ description: 'CAN FD: data at the data rate' })),
  esi: Type.Optional(Type.Boolean({ description: 'CAN FD: error state flag' })),
  dlc: Type.Optional(
    Type.Integer({
      description: 'Length code; what the data needs if left out',
      minimum: 0,
      maximum: 15,
    }),
  ),
  data: Type.Optional(
    Type.String({
      description: 'Payload in hex; blanks and separators between bytes are fine',
      maxLength: 400,
      examples: ['DE AD BE EF'],
    }),
  ),
  checksum: Type.Optional(
    Type.Enum([...checksumModels], {
      description: 'LIN checksum model; the one of the channel if left out',
    }),
  ),
};

/** A body needs a field, unless another has a certain value. */
export const neededUnless = (field: string, exception: Readonly<Record<string, string>>) => ({
  anyOf: [
    { required: [field] },
    ...Object.entries(exception).map(([name, value]) => ({
      required: [name],
      properties: { [name]: { enum: [value] } },
    })),
  ],
});

/** A frame as text instead of fields. */
export const frameText = Type.Optional(
  Type.String({
    description: 'The frame in short notation, instead of type, id, data and so on',
    minLength: 1,
    maxLength: 300,
    examples: ['123#DEADBEEF'],
  }),
);

/** Frames as text, one per line. */
export const frameList = Type.Optional(
  Type.String({
    description: `Up to ${batchLimit.listFrames} frames in short notation, one a line`,
    minLength: 1,
    examples: ['123#DEADBEEF\n124#01'],
  }),
);

/** File with such a list. */
export const frameFile = Type.Optional(
  Type.String({
    description: `File of up to ${batchLimit.listFrames} frames to send one after the other, a line each: 123#DEADBEEF, or a line of a candump log, whose time and interface do not count. - is standard input, which is sent as its lines come`,
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
      'Time of a line: Unix seconds, a date in UTC, since the first line, or since the line before (candump -t a, A, z, d)',
  }),
  'absolute',
);

export const durationText = (description: string) =>
  Type.Optional(
    Type.String({
      description,
      pattern: '^[0-9]{1,12}(\\.[0-9]{1,6})?(us|ms|s)$',
      'x-form': 'a number with us, ms or s behind it',
      examples: ['10ms'],
    }),
  );

/** Count and timing of frames. */
export const batchFields = {
  count: withDefault(
    Type.Integer({
      description: 'How many times to send it',
      minimum: 1,
      maximum: batchLimit.frames,
    }),
    1,
  ),
  cycle_us: withDefault(
    Type.Integer({
      description:
        'Microseconds from one frame to the next; 0 sends as fast as the port takes them',
      minimum: 0,
      maximum: batchLimit.cycleUs,
      examples: [10_000],
    }),
    0,
  ),
  timeout_ms: withDefault(
    Type.Integer({
      description:
        'How long a frame may wait for room in the queue, or a LIN read for its response',
      minimum: 1,
      maximum: 60_000,
    }),
    1000,
  ),
};

export const cursorFields = {
  channel: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'Channels to follow, by any selector; all of them if left out',
      maxItems: 64,
      examples: [['SIM00001/0']],
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      description: 'Event id to go on behind',
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
          'Identifiers wanted, in hex as they are printed: 123 (up to 3 digits: 11 bits and LIN), 18FF50E5 (8 digits: 29 bits), a range 100-1FF, or bits that count 123:7FF',
        maxItems: 64,
        examples: [['100-1FF']],
      },
    ),
  ),
  direction: Type.Optional(
    Type.Enum([...directions], { description: 'Only what was received, or only what was sent' }),
  ),
};

/** Limits of a printed stream. */
export const endFields = (what: string) => ({
  count: Type.Optional(
    Type.Integer({
      description: `End after so many ${what}`,
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [100],
    }),
  ),
  duration_ms: Type.Optional(
    Type.Integer({
      description: 'End after so many milliseconds',
      minimum: 1,
      maximum: 2_147_483_647,
      examples: [10_000],
    }),
  ),
});

export const limitField = withDefault(
  Type.Integer({
    description: 'Most events in one answer; the byte limit of responses may make it fewer',
    minimum: 1,
    maximum: historyPage.maximum,
  }),
  historyPage.default,
);
