/** Raws of a selector from one to another, both included. */
export interface RawRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Reads `4` or `4-7`. */
export const parseRawRange = (text: string): RawRange => {
  const [from = '0', to = from] = text.split('-');
  return { from: BigInt(from), to: BigInt(to) };
};
