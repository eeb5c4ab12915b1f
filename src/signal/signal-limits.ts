import { requireDecimal } from '../base/decimal/decimal.ts';
import type { Signal } from '../database/model.ts';
import { ValueLimits } from '../database/value-limits.ts';

export const limitsOf = ({ name, kind, factor, minimum, maximum }: Signal): ValueLimits =>
  new ValueLimits({
    kind,
    factor: requireDecimal(factor, `${name}.factor`),
    minimum: minimum === null ? null : requireDecimal(minimum, `${name}.minimum`),
    maximum: maximum === null ? null : requireDecimal(maximum, `${name}.maximum`),
  });
