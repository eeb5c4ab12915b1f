import type { DatabaseSignal } from '../api/client.ts';

type Kind = Pick<DatabaseSignal, 'kind'>;

/** The integer that the lowest bits of a number are. */
export const integerOf = (
  { kind, length }: Pick<DatabaseSignal, 'kind' | 'length'>,
  pattern: bigint,
): bigint => (kind === 'signed' ? BigInt.asIntN(length, pattern) : BigInt.asUintN(length, pattern));

const cell = new DataView(new ArrayBuffer(8));

/** The float that a pattern of bits is. */
export const floatOf = ({ kind }: Kind, pattern: bigint): number => {
  cell.setBigUint64(0, pattern);
  return kind === 'float32' ? cell.getFloat32(4) : cell.getFloat64(0);
};

/** The bits of a float. */
export const floatPattern = ({ kind }: Kind, value: number): bigint => {
  if (kind === 'float32') {
    cell.setFloat32(0, value);
    return BigInt(cell.getUint32(0));
  }
  cell.setFloat64(0, value);
  return cell.getBigUint64(0);
};
