import { type Static, Type } from 'typebox';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { linkFields, linkOf } from '../pdu/isotp/link-settings.ts';

const closed = { additionalProperties: false } as const;

export const SeedKey = Type.Object(
  {
    library: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Shared library of the project, such as plugins/key.so',
    }),
    entry: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
      description: 'Function of the library that computes a key from a seed',
      'x-form': 'the name of a C function',
    }),
  },
  { ...closed, description: 'Function that computes keys for security access' },
);
export type SeedKey = Static<typeof SeedKey>;

/** Fields of an ECU in addition to those of its link. */
export const ecuFields = {
  ...linkFields,
  dids: Type.Optional(
    Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 4096 }),
        Type.Record(Type.String(), Type.Object({})),
      ],
      {
        description: 'Data identifiers with names and codecs, or the file that contains them',
        'x-form': 'a file name, or an object',
      },
    ),
  ),
  seed_key: Type.Optional(SeedKey),
};

export const EcuEntry = Type.Object(
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
);
export type EcuEntry = Static<typeof EcuEntry>;

export interface EcuError {
  readonly field: string;
  /** Continues a sentence that begins with the field. */
  readonly words: string;
}

/** Checks what the schema cannot express. */
export const ecuError = (entry: EcuEntry): EcuError | null => {
  try {
    linkOf(entry);
    return null;
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    return { field: String(details.field), words: `is refused: ${message}` };
  }
};
