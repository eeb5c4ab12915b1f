import type { ModbusUnit } from '../../api/client.ts';

/** A test compares this range with the daemon's. */
const allUnits = '1-247';
const maxUnit = 255;

/**
 * Parses units such as `1,3,10-20` and sorts them. Null if invalid; the service reports the reason.
 */
export const unitsIn = (text: string): readonly number[] | null => {
  const units = new Set<number>();
  for (const part of (text.replaceAll(/\s/g, '') || allUnits).split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (!(Number(first) <= Number(last) && Number(last) <= maxUnit)) return null;
    for (let unit = Number(first); unit <= Number(last); unit += 1) units.add(unit);
  }
  return [...units].sort((one, other) => one - other);
};

export const unitsText = (units: readonly number[]): string =>
  units
    .map((unit, at) => {
      const isInside = units[at - 1] === unit - 1 && units[at + 1] === unit + 1;
      const separator = at === 0 ? '' : units[at - 1] === unit - 1 ? '-' : ',';
      return isInside ? '' : `${separator}${unit}`;
    })
    .join('');

export interface UnitGroup extends Pick<ModbusUnit, 'endpoint' | 'state'> {
  readonly units: readonly ModbusUnit[];
}

/** Groups unhealthy units: after a scan most do not respond. */
export const ailingGroups = (units: readonly ModbusUnit[]): readonly UnitGroup[] => {
  const groups = new Map<string, UnitGroup & { readonly units: ModbusUnit[] }>();
  for (const unit of units) {
    const { endpoint, state } = unit;
    if (state === 'healthy') continue;
    const key = `${endpoint} ${state}`;
    const group = groups.get(key);
    if (group) group.units.push(unit);
    else groups.set(key, { endpoint, state, units: [unit] });
  }
  return [...groups.values()];
};

export const shownUnits = (units: readonly number[]): string =>
  unitsText(units).replaceAll(',', ', ').replaceAll('-', '–');
