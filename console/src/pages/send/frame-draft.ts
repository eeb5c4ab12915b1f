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
import type { Channel } from '../../api/client.ts';
import type { Problem } from '../../forms/contract.ts';
import { idOf, idText, numberOf, shownId } from '../../forms/number-text.ts';

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

/** A frame as the fields have it: texts as they were typed. */
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

/** What is known of the channel to send on. */
export type Target = Pick<Channel, 'bus' | 'lin'> | null;

/** A slave puts nothing on the bus but responses to headers of the master. */
export const isSlave = (target: Target): boolean => target?.lin?.role === 'slave';

/** Of the types in the contract, those that a channel can send; all of them where it is not known. */
export const typesOn = (target: Target, types: readonly string[]): readonly string[] => {
  if (target === null) return types;
  if (isSlave(target)) return [];
  return types.filter((type) => isLinType(type) === (target.bus === 'lin'));
};

/** Of the kinds of tasks in the contract, those that a channel can run. */
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

/** The fields that a frame of that type has on that bus. */
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

/** The visible part of a frame, as a request has it. What is empty is left out. */
export const frameBody = (
  draft: FrameDraft,
  fields: readonly (keyof FrameDraft)[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields
      .map((field) => [field, requestValue(draft, field)] as const)
      .filter(([, value]) => value !== undefined),
  );

/** An identifier and its width, as the fields of a form have them. */
type IdDraft = Pick<FrameDraft, 'id' | 'extended'>;

/** A typed identifier has the width of its digits; where they do not tell, the one it had. */
export const withId = (id: string, extended: boolean): IdDraft => {
  const read = readId(id.trim());
  return { id, extended: 'reason' in read ? extended : (read.extended ?? extended) };
};

/** An identifier in the digits of a width. */
export const withWidth = (id: string, extended: boolean): IdDraft => ({
  id: shownId(id, idDigits(null, extended)),
  extended,
});

/** The digits that identifiers of that kind are written with. */
export const idDigits = (bus: Bus | null, extended: boolean): number => {
  if (bus === 'lin') return 2;
  return extended ? 8 : 3;
};
