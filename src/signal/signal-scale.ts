import { requireDecimal } from '../base/decimal/decimal.ts';
import { LinearScale } from '../base/decimal/linear-scale.ts';
import type { Signal } from '../database/model.ts';

/** How the raw values of a signal become physical ones, to the last digit. */
export const scaleOf = ({ name, factor, offset }: Signal): LinearScale =>
  new LinearScale(
    requireDecimal(factor, `${name}.factor`),
    requireDecimal(offset, `${name}.offset`),
  );
