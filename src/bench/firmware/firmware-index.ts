import { type Static, Type } from 'typebox';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import {
  type FieldProblem,
  maxProblems,
  problemAt,
  schemaProblems,
} from '../../base/schema/schema-problems.ts';

const form = /^v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,7})(?:-([0-9A-Za-z.-]{1,32}))?$/;

interface Version {
  readonly numbers: readonly number[];
  readonly preview: string | undefined;
}

const versionOf = (text: string): Version | undefined => {
  const match = form.exec(text);
  if (!match) return undefined;
  return { numbers: (match[1] as string).split('.').map(Number), preview: match[2] };
};

export const isFirmwareVersion = (text: string): boolean => versionOf(text) !== undefined;

const digits = /^[0-9]+$/;

/** Numbers sort by value and before words, as in semantic versioning. */
const comparePreviewParts = (a: string, b: string): number => {
  const [isNumber, isOtherNumber] = [digits.test(a), digits.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : Number(a > b);
};

const comparePreviews = (a: readonly string[], b: readonly string[]): number => {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = comparePreviewParts(a[i] as string, b[i] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
};

export const compareFirmwareVersions = (a: string, b: string): number | undefined => {
  const [left, right] = [versionOf(a), versionOf(b)];
  if (!left || !right) return undefined;
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let i = 0; i < length; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.preview === undefined || right.preview === undefined) {
    return Number(left.preview === undefined) - Number(right.preview === undefined);
  }
  return comparePreviews(left.preview.split('.'), right.preview.split('.'));
};

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
