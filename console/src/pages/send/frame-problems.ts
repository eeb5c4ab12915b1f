import {
  dlcToLength,
  fdLengths,
  isFrameLength,
  maxClassicLength,
  maxFdLength,
} from '../../../../src/frame/dlc.ts';
import { maxExtendedId, maxStandardId, reservedLinId } from '../../../../src/frame/frame.ts';
import { readHex } from '../../../../src/frame/hex-bytes.ts';
import { maxLinLength } from '../../../../src/frame/lin.ts';
import type { Problem } from '../../forms/schema-problems.ts';
import type { Bus } from './frame-draft.ts';

type Body = Readonly<Record<string, unknown>>;

const linTypes = ['master-write', 'master-read'];

/** Bytes written in hex; null where a digit is missing or is none. */
export const bytesIn = (text: string): number | null => {
  const read = readHex(text, { maxLength: text.length >> 1 });
  return 'reason' in read ? null : read.length;
};

const highestId = ({ type, extended }: Body, bus: Bus | null): number => {
  if (bus === 'lin' || linTypes.includes(String(type))) return reservedLinId - 1;
  return extended === true ? maxExtendedId : maxStandardId;
};

const idProblem = (body: Body, bus: Bus | null): string | null => {
  const { id, extended } = body;
  if (id === undefined) return body.type === 'sync-break' ? null : 'Is required';
  const highest = highestId(body, bus);
  // What is no number is refused by the contract itself.
  if (typeof id !== 'number' || id <= highest) return null;
  const hint =
    highest === maxStandardId && extended !== undefined ? '; extended ones go further' : '';
  return `Must be at most 0x${highest.toString(16).toUpperCase()}${hint}`;
};

const lengthProblem = ({ type, fd }: Body, length: number): string | null => {
  if (type === 'master-write') {
    return length >= 1 && length <= maxLinLength
      ? null
      : `A master-write carries 1 to ${maxLinLength} bytes`;
  }
  if (isFrameLength(length, fd === true)) return null;
  if (fd !== true) return `A classic frame has at most ${maxClassicLength} bytes, not ${length}`;
  const next = fdLengths.find((each) => each > length);
  return next === undefined
    ? `A CAN FD frame has at most ${maxFdLength} bytes, not ${length}`
    : `No CAN FD frame has ${length} bytes: pad to ${next}`;
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
