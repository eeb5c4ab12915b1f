import { type Static, type TProperties, Type } from 'typebox';
import { choice, flag, integer, optional, record, variants } from '../base/schema/field-schemas.ts';
import { type FieldProblem, problemAt, schemaProblems } from '../base/schema/schema-problems.ts';
import { readDiagnosticsFile } from './diagnostics-file.ts';

const hexPayload = (description: string) =>
  Type.String({
    description,
    pattern: '^(?:[0-9A-Fa-f]{2} ?|\\{(?:address|size)\\} ?)+$',
    maxLength: 8192,
    'x-rule': 'must be bytes of two hexadecimal digits each, {address} or {size}',
  });

const hexBytes = (description: string) =>
  Type.String({
    description,
    pattern: '^(?:[0-9A-Fa-f]{2} ?)+$',
    maxLength: 8192,
    'x-rule': 'must be bytes of two hexadecimal digits each',
  });

const word = (words: readonly string[], description: string) =>
  Type.Union([Type.Enum([...words]), Type.Integer({ minimum: 0, maximum: 127 })], { description });

const step = <Kind extends string, Fields extends TProperties>(
  kind: Kind,
  about: string,
  fields: Fields,
) =>
  record({
    step: choice([kind], about),
    name: optional(Type.String({ description: 'Name in progress and report', maxLength: 200 })),
    ...fields,
  });

const expect = optional(
  hexBytes('Bytes with which the response begins; default: those of a positive response'),
);
const isOptional = optional(
  flag('Continue after a negative response, another response than expected, or none', {
    default: false,
  }),
);
const eachSegment = optional(
  flag('Send once for each segment of the image, with its {address} and {size} in 4 bytes', {
    default: false,
  }),
);

const RequestStep = step('request', 'Any request', {
  data: hexPayload('Request'),
  expect,
  functional: optional(flag('Send to the functional identifier', { default: false })),
  optional: isOptional,
  each_segment: eachSegment,
});

const SessionStep = step('session', 'Changes the session (10)', {
  session: word(['default', 'programming', 'extended'], 'Session by word or number'),
});

const SecurityStep = step('security', 'Requests a seed and sends the key (27)', {
  level: integer('Odd sub-function that requests the seed', 1, 125),
  key: optional(hexBytes('Key; default: computed by seed_key of the ECU')),
});

const RoutineStep = step('routine', 'Starts a routine (31 01)', {
  routine: Type.String({
    description: 'Routine identifier',
    pattern: '^[0-9A-Fa-f]{4}$',
    'x-rule': 'must be four hexadecimal digits, such as "FF00"',
  }),
  data: optional(hexPayload('Bytes after the identifier')),
  expect: optional(hexBytes('Bytes with which the routine status begins')),
  optional: isOptional,
  each_segment: eachSegment,
});

const bytes = (of: string) =>
  optional(integer(`Bytes of ${of} in the request`, 1, 6, { default: 4 }));

const DownloadStep = step('download', 'Sends every segment of the image (34, 36, 37)', {
  address_bytes: bytes('the address'),
  size_bytes: bytes('the size'),
  compression: optional(integer('Compression method', 0, 15, { default: 0 })),
  encryption: optional(integer('Encryption method', 0, 15, { default: 0 })),
  max_block_length: optional(
    integer('Bytes of a block, also if the ECU accepts more', 3, 1_000_000, { default: 4095 }),
  ),
});

const WaitStep = step('wait', 'Waits before the next step', {
  ms: integer('Milliseconds', 1, 3_600_000),
});

const ResetStep = step('reset', 'Resets the ECU (11)', {
  reset: word(['hard', 'key', 'soft'], 'Kind of reset by word or number'),
});

const FlashStep = variants('step', [
  RequestStep,
  SessionStep,
  SecurityStep,
  RoutineStep,
  DownloadStep,
  WaitStep,
  ResetStep,
]);
export type FlashStep = Static<typeof FlashStep>;

/** A file of steps that flash an ECU. */
export const FlashSequence = record({
  $schema: optional(Type.String({ description: 'For editors' })),
  name: optional(Type.String({ description: 'Name of the sequence', maxLength: 200 })),
  steps: Type.Array(FlashStep, {
    description: 'Steps in their order; the first failure ends the sequence',
    minItems: 1,
    maxItems: 1000,
  }),
});
export type FlashSequence = Static<typeof FlashSequence>;

const stepProblems = (each: FlashStep, index: number): FieldProblem[] => {
  const at = ['steps', index];
  if (each.step === 'security' && each.level % 2 === 0) {
    return [problemAt([...at, 'level'], 'must be odd')];
  }
  const isSingle = 'data' in each && each.each_segment !== true;
  return isSingle && /\{/.test(each.data ?? '')
    ? [problemAt([...at, 'data'], 'has {address} or {size}, which needs each_segment')]
    : [];
};

const problemsOf = (content: unknown): FieldProblem[] => {
  const problems = schemaProblems(FlashSequence, content);
  if (problems.length > 0) return problems;
  const { steps } = content as FlashSequence;
  const downloads = steps.filter(({ step: kind }) => kind === 'download').length;
  const found = steps.flatMap(stepProblems);
  return downloads === 1 ? found : [...found, problemAt(['steps'], 'must have one download')];
};

export const readFlashSequence = (file: Uint8Array): FlashSequence =>
  readDiagnosticsFile(file, problemsOf);
