import { type Static, Type } from 'typebox';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import {
  type FieldProblem,
  maxProblems,
  problemAt,
  schemaProblems,
} from '../../base/schema/schema-problems.ts';
import { isFirmwareVersion } from './firmware-version.ts';

const Release = Type.Object(
  {
    device: Type.String({ minLength: 1, maxLength: 128 }),
    version: Type.String({ minLength: 1, maxLength: 64 }),
    notes: Type.Optional(Type.String({ maxLength: 4096 })),
    url: Type.Optional(Type.String({ maxLength: 2048 })),
  },
  { additionalProperties: false },
);

const FirmwareIndex = Type.Object(
  {
    format: Type.Enum(['busbar-firmware']),
    schema_version: Type.Enum([1]),
    releases: Type.Array(Release, { maxItems: 10_000 }),
  },
  { additionalProperties: false },
);

export type FirmwareRelease = Static<typeof Release>;
export type FirmwareIndex = Static<typeof FirmwareIndex>;

export const invalidFirmwareIndex = (
  index: string,
  problems: readonly FieldProblem[],
  cause?: unknown,
): BusbarError =>
  new BusbarError('invalid_firmware_index', {
    message: `Invalid firmware index ${index}: ${problems[0]?.message}`,
    details: { index, problems: problems.slice(0, maxProblems) },
    cause,
  });

const parsed = (index: string, bytes: Uint8Array): unknown => {
  try {
    return parseJsonBytes(bytes);
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    throw invalidFirmwareIndex(index, [{ field: String(details.field ?? ''), message }], thrown);
  }
};

export const parseFirmwareIndex = (index: string, bytes: Uint8Array): FirmwareIndex => {
  const document = parsed(index, bytes);
  const problems = schemaProblems(FirmwareIndex, document);
  if (problems.length > 0) throw invalidFirmwareIndex(index, problems);
  const firmware = document as FirmwareIndex;
  const unreadable = firmware.releases.flatMap(({ version }, i) =>
    isFirmwareVersion(version)
      ? []
      : [problemAt(['releases', i, 'version'], 'must be numbers separated by dots')],
  );
  if (unreadable.length > 0) throw invalidFirmwareIndex(index, unreadable);
  return firmware;
};
