import { linFrameTypes } from '../../../../src/frame/frame.ts';
import { readId } from '../../../../src/frame/id-pattern.ts';
import type { Channel } from '../../api/client.ts';
import { idOf, numberOf, shownId } from '../../forms/number-text.ts';

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
export type IdDraft = Pick<FrameDraft, 'id' | 'extended'>;

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
