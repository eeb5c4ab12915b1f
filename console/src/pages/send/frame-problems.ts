import { dlcToLength, fdLengths, lengthFlaw } from '../../../../src/frame/dlc.ts';
import {
  linFrameTypes,
  maxExtendedId,
  maxStandardId,
  reservedLinId,
} from '../../../../src/frame/frame.ts';
import { readHex } from '../../../../src/frame/hex-bytes.ts';
import { readId } from '../../../../src/frame/id-pattern.ts';
import { linLengthFlaw, maxLinLength } from '../../../../src/frame/lin.ts';
import { idText } from '../../forms/number-text.ts';
import type { Problem } from '../../forms/schema-problems.ts';
import type { Bus } from './frame-draft.ts';

type Body = Readonly<Record<string, unknown>>;

/** Bytes written in hex; null where a digit is missing or is none. */
export const bytesIn = (text: string): number | null => {
  const read = readHex(text, { maxLength: text.length >> 1 });
  return 'reason' in read ? null : read.length;
};

const highestId = ({ type, extended }: Body, bus: Bus | null): number => {
  if (bus === 'lin' || linFrameTypes.some((each) => each === type)) return reservedLinId - 1;
  return extended === true ? maxExtendedId : maxStandardId;
};

const idProblem = (body: Body, bus: Bus | null): string | null => {
  const { id, extended } = body;
  if (id === undefined) return body.type === 'sync-break' ? null : 'Is required';
  if (typeof id === 'string') {
    // What is no hex is refused by the contract itself.
    const read = readId(id);
    const isTooLarge = 'reason' in read && read.reason === 'out_of_range';
    return isTooLarge ? `Must be at most ${idText(maxExtendedId)}` : null;
  }
  const highest = highestId(body, bus);
  if (typeof id !== 'number' || id <= highest) return null;
  const hint =
    highest === maxStandardId && extended !== undefined ? '; extended ones go further' : '';
  return `Must be at most ${idText(highest)}${hint}`;
};

const writeProblem = (id: unknown, length: number): string | null => {
  const flaw = linLengthFlaw(Number(id), length);
  if (flaw === null) return null;
  return flaw === 'diagnostic_id'
    ? `A diagnostic frame carries ${maxLinLength} bytes`
    : `A master-write carries 1 to ${maxLinLength} bytes`;
};

const lengthProblem = ({ type, id, fd }: Body, length: number): string | null => {
  if (type === 'master-write') return writeProblem(id, length);
  const flaw = lengthFlaw(length, fd === true);
  if (flaw === null) return null;
  return flaw.reason === 'too_long'
    ? `A ${fd === true ? 'CAN FD' : 'classic'} frame has at most ${flaw.limit} bytes, not ${length}`
    : `No CAN FD frame has ${length} bytes: pad to ${flaw.next}`;
};

const dataProblem = (body: Body): string | null => {
  const text = String(body.data ?? '');
  const length = bytesIn(text);
  if (length === null) return 'Must be bytes of two hex digits each';
  if (body.type !== 'data' && body.type !== 'master-write') return null;
  return lengthProblem(body, length);
};

const dlcProblem = ({ type, fd, dlc, data = '' }: Body): string | null => {
  const length = bytesIn(String(data));
  if (type !== 'data' || typeof dlc !== 'number' || length === null) return null;
  // What is no code is refused by the contract itself.
  if (fdLengths[dlc] === undefined) return null;
  const means = dlcToLength(dlc, fd === true);
  return means === length ? null : `Means ${means} bytes, but the data has ${length}`;
};

/** What no frame can be, as far as it can be told here; the service knows the rest. */
export const frameProblems = (body: Body, bus: Bus | null): readonly Problem[] => {
  const found = { id: idProblem(body, bus), data: dataProblem(body), dlc: dlcProblem(body) };
  return Object.entries(found).flatMap(([field, message]) => (message ? [{ field, message }] : []));
};
