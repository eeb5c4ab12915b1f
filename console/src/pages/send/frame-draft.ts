import { dlcToLength, fdLengths, lengthError } from '../../../../src/frame/dlc.ts';
import {
  linFrameTypes,
  maxExtendedId,
  maxStandardId,
  reservedLinId,
} from '../../../../src/frame/frame.ts';
import { readHex } from '../../../../src/frame/hex-bytes.ts';
import { readId } from '../../../../src/frame/id-pattern.ts';
import { linLengthError, maxLinLength } from '../../../../src/frame/lin.ts';
import type { Channel } from '../../api/client.ts';
import { counted } from '../../format/figures.ts';
import type { Problem } from '../../forms/contract.ts';
import { idOf, idText, numberOf, shownId } from '../../forms/number-text.ts';

type Body = Readonly<Record<string, unknown>>;

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
  if (id === undefined) return body.type === 'sync-break' ? null : 'Required';
  if (typeof id === 'string') {
    // The contract rejects text that is not hex.
    const read = readId(id);
    const isTooLarge = 'reason' in read && read.reason === 'out_of_range';
    return isTooLarge ? `Must be at most ${idText(maxExtendedId)}` : null;
  }
  const highest = highestId(body, bus);
  if (typeof id !== 'number' || id <= highest) return null;
  const hint =
    highest === maxStandardId && extended !== undefined ? '; select Extended for 29 bits' : '';
  return `Must be at most ${idText(highest)}${hint}`;
};

const writeProblem = (id: unknown, length: number): string | null => {
  const error = linLengthError(Number(id), length);
  if (error === null) return null;
  return error === 'diagnostic_id'
    ? `A diagnostic frame has ${maxLinLength} bytes`
    : `A master-write has 1 to ${maxLinLength} bytes`;
};

const lengthProblem = ({ type, id, fd }: Body, length: number): string | null => {
  if (type === 'master-write') return writeProblem(id, length);
  const error = lengthError(length, fd === true);
  if (error === null) return null;
  return error.reason === 'too_long'
    ? `A ${fd === true ? 'CAN FD' : 'classic'} frame has at most ${error.limit} bytes, not ${length}`
    : `CAN FD has no frames of ${length} bytes: pad to ${error.next}`;
};

const dataProblem = (body: Body): string | null => {
  const text = String(body.data ?? '');
  const length = bytesIn(text);
  if (length === null) return 'Must be hex bytes of two digits each';
  if (body.type !== 'data' && body.type !== 'master-write') return null;
  return lengthProblem(body, length);
};

const dlcProblem = ({ type, fd, dlc, data = '' }: Body): string | null => {
  const length = bytesIn(String(data));
  if (type !== 'data' || typeof dlc !== 'number' || length === null) return null;
  // The contract rejects invalid DLCs.
  if (fdLengths[dlc] === undefined) return null;
  const means = dlcToLength(dlc, fd === true);
  return means === length
    ? null
    : `DLC ${dlc} means ${counted(means, 'byte')}, but the data has ${length}`;
};

/** Errors of a frame that the console detects; the service detects the others. */
export const frameProblems = (body: Body, bus: Bus | null): readonly Problem[] => {
  const found = { id: idProblem(body, bus), data: dataProblem(body), dlc: dlcProblem(body) };
  return Object.entries(found).flatMap(([field, message]) => (message ? [{ field, message }] : []));
};

export interface FrameDraft {
  readonly type: string;
  readonly id: string;
  readonly extended: boolean;
  readonly fd: boolean;
  readonly brs: boolean;
  readonly esi: boolean;
  readonly dlc: string;
  readonly data: string;
  readonly checksum: string;
}

export type Bus = Channel['bus'];

export const emptyFrame: FrameDraft = {
  type: 'data',
  id: '123',
  extended: false,
  fd: false,
  brs: false,
  esi: false,
  dlc: '',
  data: '',
  checksum: '',
};

const isLinType = (type: string): boolean => linFrameTypes.some((each) => each === type);

export type Target = Pick<Channel, 'bus' | 'lin'> | null;

/** A slave only sends responses to headers of the master. */
export const isSlave = (target: Target): boolean => target?.lin?.role === 'slave';

export const typesOn = (target: Target, types: readonly string[]): readonly string[] => {
  if (target === null) return types;
  if (isSlave(target)) return [];
  return types.filter((type) => isLinType(type) === (target.bus === 'lin'));
};

export const kindsOn = (target: Target, kinds: readonly string[]): readonly string[] => {
  if (target === null) return kinds;
  if (isSlave(target)) return kinds.filter((kind) => kind === 'lin_response');
  return kinds.filter((kind) => target.bus === 'lin' || kind !== 'lin_response');
};

const fieldsOfType: Readonly<Record<string, readonly (keyof FrameDraft)[]>> = {
  remote: ['id', 'extended', 'dlc'],
  'master-write': ['id', 'data', 'checksum'],
  'master-read': ['id', 'dlc', 'checksum'],
  'sync-break': [],
};

export const frameFields = (
  { type, fd }: Pick<FrameDraft, 'type' | 'fd'>,
  bus: Bus | null,
): readonly (keyof FrameDraft)[] => {
  const fixed = fieldsOfType[type];
  if (fixed) return fixed;
  const hasFd = bus === 'canfd' || bus === null;
  const fdFields: readonly (keyof FrameDraft)[] = fd ? ['fd', 'brs', 'esi'] : ['fd'];
  return ['id', 'extended', ...(hasFd ? fdFields : []), 'dlc', 'data'];
};

const requestValue = (draft: FrameDraft, field: keyof FrameDraft): unknown => {
  const value = draft[field];
  if (typeof value === 'boolean') return value;
  if (field === 'id') return idOf(value);
  if (field === 'dlc') return numberOf(value);
  return value.trim() === '' ? undefined : value.trim();
};

export const frameBody = (
  draft: FrameDraft,
  fields: readonly (keyof FrameDraft)[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields
      .map((field) => [field, requestValue(draft, field)] as const)
      .filter(([, value]) => value !== undefined),
  );

type IdDraft = Pick<FrameDraft, 'id' | 'extended'>;

/** The digits of an ID determine its width; an ambiguous ID keeps its width. */
export const withId = (id: string, extended: boolean): IdDraft => {
  const read = readId(id.trim());
  return { id, extended: 'reason' in read ? extended : (read.extended ?? extended) };
};

export const withWidth = (id: string, extended: boolean): IdDraft => ({
  id: shownId(id, idDigits(null, extended)),
  extended,
});

export const idDigits = (bus: Bus | null, extended: boolean): number => {
  if (bus === 'lin') return 2;
  return extended ? 8 : 3;
};
