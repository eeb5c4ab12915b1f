export interface WholeRange {
  readonly least: bigint;
  readonly max: bigint;
}

const wholeNumber = /^-?\d+$/;

/** Returns the violated rule as the end of a message; undefined for an integer in the range. */
export const wholeError = (text: string, { least, max: most }: WholeRange): string | undefined => {
  if (wholeNumber.test(text)) {
    const value = BigInt(text);
    if (value >= least && value <= most) return undefined;
  }
  return most - least === 1n
    ? `must be "${least}" or "${most}"`
    : `must be a whole number from ${least} to ${most}`;
};
