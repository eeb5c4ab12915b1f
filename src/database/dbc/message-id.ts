import type { DbcMessageReference } from './specifics.ts';

const extendedMark = 0x8000_0000;
const largestStandard = 0x7ff;
const largestExtended = 0x1fff_ffff;

/** Signals that belong to no message are listed below a message of this name. */
export const independentSignals = 'VECTOR__INDEPENDENT_SIG_MSG';

/** No node, where one is expected. */
export const noNode = 'Vector__XXX';

/** The identifier on the bus behind the number that the file uses for a message. */
export const referenceOf = (number: number): DbcMessageReference => ({
  id: number & largestExtended,
  extended: number > largestStandard,
});

/** The number by which a file names a message: bit 31 marks 29-bit identifiers. */
export const numberOf = ({ id, extended }: DbcMessageReference): number =>
  extended ? id + extendedMark : id;

/** What is odd about the number of a message; undefined when nothing is. */
export const oddityOf = (number: number): string | undefined => {
  if (number > largestStandard && number < extendedMark) {
    return 'needs more than 11 bits and lacks the mark of 29-bit identifiers';
  }
  if (number >= extendedMark && number - extendedMark > largestExtended) {
    return 'needs more than 29 bits';
  }
  return undefined;
};
