import { parseDecimal } from '../../../src/base/decimal/decimal.ts';
import { LinearScale } from '../../../src/base/decimal/linear-scale.ts';
import type { DatabaseSignal } from '../api/client.ts';

/** How raw values of a signal become physical ones; null where the database has no numbers for it. */
export const scaleOf = ({
  factor,
  offset,
}: Pick<DatabaseSignal, 'factor' | 'offset'>): LinearScale | null => {
  const [multiplier, addend] = [parseDecimal(factor), parseDecimal(offset)];
  return multiplier && addend && new LinearScale(multiplier, addend);
};
