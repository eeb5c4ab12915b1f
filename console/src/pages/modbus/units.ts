import type { ModbusUnit } from '../../api/client.ts';

/** What the daemon looks for, which a browser cannot ask its rooms; a test compares both. */
const allUnits = '1-247';
/** No endpoint has units beyond this one. */
const maxUnit = 255;

/**
 * The units that a text like `1,3,10-20` names, each once and in their order. Null where no endpoint can have them,
 * which the service explains.
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

/** The same as a text again, such as `1,3,10-20`. */
export const unitsText = (units: readonly number[]): string =>
  units
    .map((unit, at) => {
      const isInside = units[at - 1] === unit - 1 && units[at + 1] === unit + 1;
      const separator = at === 0 ? '' : units[at - 1] === unit - 1 ? '-' : ',';
      return isInside ? '' : `${separator}${unit}`;
    })
    .join('');

/** Units of one endpoint in one state. */
export interface UnitGroup extends Pick<ModbusUnit, 'endpoint' | 'state'> {
  readonly units: readonly ModbusUnit[];
}

/** Units that are not healthy: those of a scan are mostly silent, and one line for all of them says it. */
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

/** Units in words, such as `2, 4–9`. */
export const shownUnits = (units: readonly number[]): string =>
  unitsText(units).replaceAll(',', ', ').replaceAll('-', '–');
