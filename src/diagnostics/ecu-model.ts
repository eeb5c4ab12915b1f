import { type Static, type TSchema, Type } from 'typebox';
import { choice, flag, integer, optional, record } from '../base/schema/field-schemas.ts';
import { type FieldProblem, problemAt, schemaProblems } from '../base/schema/schema-problems.ts';
import { readDiagnosticsFile } from './diagnostics-file.ts';
import { codecBytes, codecError, LinearDidCodec } from './linear-did.ts';

const hex = (description: string, example: string) =>
  Type.String({
    description,
    pattern: '^(?:[0-9A-Fa-f]{2})+$',
    maxLength: 8190,
    'x-rule': `must be bytes of two hexadecimal digits each, such as "${example}"`,
  });

const maxMemory = 16 * 1024 * 1024;

/** Conditions of a service. Without them, it is served in every session and without a key. */
const conditions = {
  security: optional(integer('Security level that must be unlocked', 1, 125)),
  sessions: optional(
    Type.Array(integer('Session', 1, 127), { description: 'Sessions in which it is served' }),
  ),
};

const writing = {
  writable: optional(flag('Whether requests can write it', { default: false })),
  ...conditions,
};

const EcuDid = Type.Union(
  [
    record({
      text: Type.String({
        description: 'Value as text',
        minLength: 1,
        maxLength: 4000,
        pattern: '^[\\x20-\\x7e]*$',
        'x-rule': 'must be printable ASCII',
      }),
      ...writing,
    }),
    record({ hex: hex('Value as bytes', '00A5'), ...writing }),
    record({ counter: integer('Bytes of a number that each read increments', 1, 6) }),
    record({
      signal: Type.String({
        description: 'Signal of a gateway: its instance, / and its name',
        pattern: '^[A-Za-z0-9_.-]{1,64}/.{1,512}$',
        'x-rule': 'must be an instance, / and a signal',
      }),
      codec: optional({
        ...LinearDidCodec,
        description: 'Bytes of the signal; default: a signed integer of 32 bits',
      }),
    }),
  ],
  { 'x-form': 'an object with one of text, hex, counter or signal' },
);
export type EcuDid = Static<typeof EcuDid>;

const EcuDtc = record({
  dtc: Type.String({
    description: 'DTC',
    pattern: '^[0-9A-Fa-f]{6}$',
    'x-rule': 'must be six hexadecimal digits, such as "123456"',
  }),
  status: integer('Status byte', 0, 255),
  snapshot: optional(
    hex('Snapshot record 1: number of identifiers, identifiers, values', '010100AA'),
  ),
  extended: optional(hex('Extended data record 1', '05')),
});

const EcuSession = record({
  p2_ms: optional(integer('P2 of the session', 1, 65_535, { default: 50 })),
  p2_star_ms: optional(integer('P2* of the session', 10, 655_350, { default: 5000 })),
  s3_ms: optional(
    integer('Time without requests that ends the session', 1, 3_600_000, { default: 5000 }),
  ),
});

const EcuSecurity = record({
  seed: hex('Seed', 'DEADBEEF'),
  key: hex('Key that unlocks the level', 'CAFE'),
  attempts: optional(integer('Wrong keys until the delay', 1, 255, { default: 3 })),
  delay_ms: optional(integer('Delay after too many wrong keys', 1, 3_600_000, { default: 10_000 })),
});

const EcuRoutine = record({
  duration_ms: optional(integer('Time until its response', 0, 3_600_000, { default: 0 })),
  result: optional(hex('Bytes of its result', 'FF')),
  ...conditions,
});

const EcuMemory = record({
  address: integer('First address', 0, 2 ** 32 - 1),
  size: integer('Bytes', 1, maxMemory),
  block_length: optional(
    integer('Longest TransferData request, with service and counter', 3, 4095, { default: 4002 }),
  ),
  ...conditions,
});

export const ecuFaultKinds = [
  'drop',
  'delay',
  'sequence',
  'nrc',
  'silent',
  'silent_after_pending',
] as const;

const EcuFault = record({
  kind: choice(
    ecuFaultKinds,
    'Omits, delays or misnumbers a frame, refuses, or is silent, also after 0x78',
  ),
  frame: optional(integer('Frame of the response, from 1', 1, 1_000_000, { default: 1 })),
  delay_us: optional(integer('Delay of the frame', 0, 60_000_000, { default: 0 })),
  nrc: optional(integer('Negative response code', 1, 255, { default: 0x22 })),
  count: optional(integer('Responses with this fault; 0 is all', 0, 1_000_000, { default: 0 })),
});
export type EcuFault = Static<typeof EcuFault>;

/** The pattern is for editors; `keyRules` has better words. */
const byName = <Value extends TSchema>(pattern: string, value: Value, description: string) =>
  Type.Record(Type.String({ pattern }), value, { description });

const fourDigits = '^[0-9A-Fa-f]{4}$';
const upTo127 = '^[1-9][0-9]{0,2}$';

/** A file that describes a simulated ECU. */
export const EcuModel = record({
  $schema: optional(Type.String({ description: 'For editors' })),
  dids: optional(
    byName(
      fourDigits,
      EcuDid,
      'Data identifiers by their four hex digits, each with text, hex, counter or signal',
    ),
  ),
  dtcs: optional(Type.Array(EcuDtc, { description: 'DTCs', maxItems: 1000 })),
  sessions: optional(byName(upTo127, EcuSession, 'Sessions by number; default: 1, 2 and 3')),
  security: optional(byName(upTo127, EcuSecurity, 'Seeds and keys by odd level')),
  routines: optional(byName(fourDigits, EcuRoutine, 'Routines by their four hex digits')),
  memory: optional({ ...EcuMemory, description: 'Memory, erased (FF) at the start' }),
  faults: optional(Type.Array(EcuFault, { description: 'Faults of responses', maxItems: 100 })),
});
export type EcuModel = Static<typeof EcuModel>;

const isHexId = (name: string): boolean => /^[0-9A-Fa-f]{4}$/.test(name);
const hexRule = 'must be four hexadecimal digits, such as F190';

const isSession = (name: string): boolean => /^[1-9][0-9]{0,2}$/.test(name) && Number(name) < 128;
const isLevel = (name: string): boolean =>
  isSession(name) && Number(name) % 2 === 1 && name !== '127';

interface KeyRule {
  readonly isRight: (name: string) => boolean;
  readonly rule: string;
  /** Two names of one thing, such as `f190` and `F190`. */
  readonly fold: (name: string) => string;
}

const keyRules: Readonly<Record<'dids' | 'routines' | 'sessions' | 'security', KeyRule>> = {
  dids: { isRight: isHexId, rule: hexRule, fold: (name) => name.toUpperCase() },
  routines: { isRight: isHexId, rule: hexRule, fold: (name) => name.toUpperCase() },
  sessions: { isRight: isSession, rule: 'must be a number from 1 to 127', fold: String },
  security: { isRight: isLevel, rule: 'must be an odd number from 1 to 125', fold: String },
};

const keyProblems = (model: EcuModel): FieldProblem[] =>
  Object.entries(keyRules).flatMap(([table, { isRight, rule, fold }]) => {
    const names = Object.keys(model[table as keyof typeof keyRules] ?? {});
    const folded = names.map(fold);
    return names.flatMap((name, index) => {
      if (!isRight(name)) return [problemAt([table, name], rule)];
      const isRepeated = folded.indexOf(fold(name)) < index;
      return isRepeated ? [problemAt([table, name], 'is defined twice')] : [];
    });
  });

const codecProblems = ({ dids = {} }: EcuModel): FieldProblem[] =>
  Object.entries(dids).flatMap(([name, entry]) => {
    if (!('signal' in entry) || entry.codec === undefined) return [];
    const error = codecError(entry.codec, codecBytes(entry.codec));
    return error === null ? [] : [problemAt(['dids', name, 'codec', error.field], error.words)];
  });

const seedProblems = ({ security = {} }: EcuModel): FieldProblem[] =>
  Object.entries(security).flatMap(([level, { seed }]) =>
    /^0+$/.test(seed)
      ? [problemAt(['security', level, 'seed'], 'must not be zeros, which mean unlocked')]
      : [],
  );

const memoryProblems = ({ memory }: EcuModel): FieldProblem[] =>
  memory !== undefined && memory.address + memory.size > 2 ** 32
    ? [problemAt(['memory', 'size'], 'extends beyond the address 0xFFFFFFFF')]
    : [];

const conditionProblems = (model: EcuModel): FieldProblem[] => {
  const levels = Object.keys(model.security ?? {}).map(Number);
  const check = (at: readonly string[], entry: object): FieldProblem[] =>
    'security' in entry && !levels.includes(Number(entry.security))
      ? [problemAt([...at, 'security'], 'is no level of security')]
      : [];
  const tables = (['dids', 'routines'] as const).flatMap((table) =>
    Object.entries(model[table] ?? {}).flatMap(([name, entry]) => check([table, name], entry)),
  );
  return model.memory === undefined ? tables : [...tables, ...check(['memory'], model.memory)];
};

export const ecuModelProblems = (content: unknown): FieldProblem[] => {
  const problems = schemaProblems(EcuModel, content);
  if (problems.length > 0) return problems;
  const model = content as EcuModel;
  return [
    ...keyProblems(model),
    ...codecProblems(model),
    ...seedProblems(model),
    ...memoryProblems(model),
    ...conditionProblems(model),
  ];
};

export const readEcuModel = (file: Uint8Array): EcuModel =>
  readDiagnosticsFile(file, ecuModelProblems);
