import { Type } from 'typebox';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { PathSegment } from '../base/json/field-path.ts';
import { type FieldProblem, problemAt } from '../base/schema/schema-problems.ts';
import { named, type RecordOf } from '../base/schema/schemas.ts';
import { DidFile, didProblems } from '../diagnostics/dids.ts';
import { linkFields, linkOf } from '../pdu/isotp/link-settings.ts';

const closed = { additionalProperties: false } as const;

export const SeedKey = Type.Object(
  {
    library: Type.String({
      pattern: '^plugins/.+',
      maxLength: 4096,
      description: 'Shared library below plugins/ of the project, such as plugins/key.so',
      'x-form': 'a path below plugins/',
    }),
    entry: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
      description: 'Function of the library that computes a key from a seed',
      'x-form': 'the name of a C function',
    }),
  },
  { ...closed, description: 'Function that computes keys for security access' },
);
export type SeedKey = RecordOf<typeof SeedKey>;

/** Fields of an ECU in addition to those of its link. */
export const ecuFields = {
  ...linkFields,
  dids: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 4096 }), DidFile], {
      description: 'Data identifiers with names and codecs, or the file that contains them',
      'x-form': 'a file name, or an object',
    }),
  ),
  seed_key: Type.Optional(SeedKey),
};

export const EcuEntry = named(
  'EcuEntry',
  Type.Object(
    {
      channel: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Channel of the ECU, by any selector',
        examples: ['powertrain'],
      }),
      ...ecuFields,
    },
    { ...closed, description: 'ECU for diagnostics' },
  ),
);
export type EcuEntry = RecordOf<typeof EcuEntry>;

/** Checks what the schema cannot express. */
export const ecuProblems = (entry: EcuEntry, at: readonly PathSegment[]): FieldProblem[] => {
  const problems = typeof entry.dids === 'object' ? didProblems(entry.dids, [...at, 'dids']) : [];
  try {
    linkOf(entry);
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    problems.push(problemAt([...at, String(details.field)], `is invalid: ${message}`));
  }
  return problems;
};
