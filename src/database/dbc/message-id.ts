import type { DbcMessageReference } from './specifics.ts';

const extendedMark = 0x8000_0000;
const maxStandard = 0x7ff;
const maxExtended = 0x1fff_ffff;

/** Message that lists the signals without a message. */
export const independentSignals = 'VECTOR__INDEPENDENT_SIG_MSG';

/** Placeholder for "no node". */
export const noNode = 'Vector__XXX';

/** Bus identifier of a message number in the file. */
export const referenceOf = (number: number): DbcMessageReference => ({
  id: number & maxExtended,
  extended: number > maxStandard,
});

/** Message number in the file: bit 31 marks 29-bit identifiers. */
export const numberOf = ({ id, extended }: DbcMessageReference): number =>
  extended ? id + extendedMark : id;

/** Describes what is unusual about a message number, or returns undefined. */
export const oddityOf = (number: number): string | undefined => {
  if (number > maxStandard && number < extendedMark) {
    return 'needs more than 11 bits but is not marked as extended';
  }
  if (number >= extendedMark && number - extendedMark > maxExtended) {
    return 'needs more than 29 bits';
  }
  return undefined;
};
