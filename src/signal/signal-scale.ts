import { requireDecimal } from '../base/decimal/decimal.ts';
import { LinearScale } from '../base/decimal/linear-scale.ts';
import type { Signal } from '../database/model.ts';

export const scaleOf = ({ name, factor, offset }: Signal): LinearScale =>
  new LinearScale(
    requireDecimal(factor, `${name}.factor`),
    requireDecimal(offset, `${name}.offset`),
  );
