import { parseDecimal } from '../../../src/base/decimal/decimal.ts';
import { LinearScale } from '../../../src/base/decimal/linear-scale.ts';
import { textOfArray } from '../../../src/database/array-text.ts';
import { ScaledRanges } from '../../../src/database/scaled-ranges.ts';
import type { DatabaseSignal } from '../api/client.ts';

export const scaleOf = ({
  factor,
  offset,
}: Pick<DatabaseSignal, 'factor' | 'offset'>): LinearScale | null => {
  const [multiplier, addend] = [parseDecimal(factor), parseDecimal(offset)];
  return multiplier && addend && new LinearScale(multiplier, addend);
};

/** Scales by range of raw values; null if one scale applies to all. */
export const rangesOf = ({ name, ranges }: DatabaseSignal): ScaledRanges | null =>
  ranges === null
    ? null
    : new ScaledRanges(
        name,
        ranges.map((each) => ({ ...each, from: BigInt(each.from), to: BigInt(each.to) })),
      );

/** Physical value of an integer with its unit. */
export const physicalOf = (
  signal: DatabaseSignal,
  raw: bigint,
): { readonly value: string | null; readonly unit: string } => {
  const { array, length, unit } = signal;
  const ranges = rangesOf(signal);
  if (ranges) return ranges.textOf(raw) ?? { value: null, unit: '' };
  if (array !== null) return { value: textOfArray(raw, length, array), unit };
  return { value: scaleOf(signal)?.textOf(raw) ?? null, unit };
};

type Kind = Pick<DatabaseSignal, 'kind'>;

export const integerOf = (
  { kind, length }: Pick<DatabaseSignal, 'kind' | 'length'>,
  pattern: bigint,
): bigint => (kind === 'signed' ? BigInt.asIntN(length, pattern) : BigInt.asUintN(length, pattern));

const cell = new DataView(new ArrayBuffer(8));

export const floatOf = ({ kind }: Kind, pattern: bigint): number => {
  cell.setBigUint64(0, pattern);
  return kind === 'float32' ? cell.getFloat32(4) : cell.getFloat64(0);
};

export const floatPattern = ({ kind }: Kind, value: number): bigint => {
  if (kind === 'float32') {
    cell.setFloat32(0, value);
    return BigInt(cell.getUint32(0));
  }
  cell.setFloat64(0, value);
  return cell.getBigUint64(0);
};
