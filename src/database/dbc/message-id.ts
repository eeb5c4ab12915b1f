import type { DbcMessageReference } from './specifics.ts';

const extendedMark = 0x8000_0000;
const maxStandard = 0x7ff;
const maxExtended = 0x1fff_ffff;

export const independentSignals = 'VECTOR__INDEPENDENT_SIG_MSG';

export const noNode = 'Vector__XXX';

export const referenceOf = (number: number): DbcMessageReference => ({
  id: number & maxExtended,
  extended: number > maxStandard,
});

/** Bit 31 of the message number marks 29-bit identifiers. */
export const numberOf = ({ id, extended }: DbcMessageReference): number =>
  extended ? id + extendedMark : id;

export const oddityOf = (number: number): string | undefined => {
  if (number > maxStandard && number < extendedMark) {
    return 'needs more than 11 bits but is not marked as extended';
  }
  if (number >= extendedMark && number - extendedMark > maxExtended) {
    return 'needs more than 29 bits';
  }
  return undefined;
};
