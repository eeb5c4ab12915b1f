import type { MappingRow, SignalType, TransformRow } from './project.ts';
import type { ProjectDraft, SignalDraft } from './project-draft.ts';
import type { Random } from './random.ts';
import { smallValue } from './random-signals.ts';

const steadyMany = ['add', 'min', 'max', 'average'] as const;
const steadyOne = ['abs', 'neg'] as const;
const many = [...steadyMany, 'mul'] as const;
const two = ['sub', 'div', 'mod', 'pow', 'atan2'] as const;
const one = [
  ...steadyOne,
  ...['sqrt', 'exp', 'ln', 'log10', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan'],
  ...['floor', 'ceil', 'round'],
] as const;
const anyType: readonly SignalType[] = ['bool', 'int64', 'uint64', 'float64', 'enum'];

/** A mapping being generated: its inputs, function and outputs. */
interface Plan {
  readonly inputs: readonly SignalDraft[];
  readonly transform: TransformRow | undefined;
  readonly outputs: readonly SignalType[];
  /** The outputs depend on the order of operations for any inputs. */
  readonly isRounded?: boolean;
}

/** Possible types of a result; if it may differ in the last bit, only a double. */
const typeAfter = (random: Random, inputs: readonly SignalDraft[]): SignalType => {
  if (inputs.some(({ isExact }) => !isExact)) return 'float64';
  if (inputs.every(({ type }) => type !== 'float64')) return random.pick(anyType);
  return random.chance(0.75) ? 'float64' : random.pick(anyType);
};

const several = (random: Random, from: readonly SignalDraft[], count: number): SignalDraft[] =>
  Array.from({ length: count }, () => random.pick(from));

const planMath = (random: Random, draft: ProjectDraft): Plan => {
  const isSteady = random.chance(0.4);
  const from = isSteady ? draft.signals : draft.signals.filter(({ isExact }) => isExact);
  const count = random.pick([1, 2, 2, 3]);
  const names: readonly string[] = isSteady
    ? count === 1
      ? steadyOne
      : [...steadyMany, ...(count === 2 ? ['sub'] : [])]
    : count === 1
      ? one
      : [...many, ...(count === 2 ? two : [])];
  const inputs = several(random, from, count);
  const transform = { kind: 'math', function: random.pick(names) } as const;
  return { inputs, transform, outputs: [typeAfter(random, inputs)] };
};

const planLogic = (random: Random, draft: ProjectDraft): Plan | undefined => {
  const bools = draft.signals.filter(({ type }) => type === 'bool');
  if (bools.length === 0) return undefined;
  if (random.chance(0.5)) {
    const inputs = [random.pick(bools), ...several(random, draft.signals, 2)];
    const transform = { kind: 'math', function: 'select' } as const;
    return { inputs, transform, outputs: [typeAfter(random, inputs)] };
  }
  const name = random.pick(['and', 'or', 'xor', 'not']);
  const inputs = several(random, bools, name === 'not' ? 1 : random.integer(2, 3));
  return { inputs, transform: { kind: 'math', function: name }, outputs: ['bool'] };
};

const planThreshold = (random: Random, draft: ProjectDraft): Plan => {
  const inputs = [random.pick(draft.signals)];
  const isExact = inputs.every((input) => input.isExact);
  const type = random.pick(anyType);
  const transform: TransformRow = {
    kind: 'threshold',
    threshold: random.integer(-20, 60) + (isExact ? random.pick([0, 0.5]) : 0.12345),
    ...random.some(0.5, { hysteresis: random.pick([0.5, 5, 20]) }),
    ...(type === 'bool' && random.chance(0.5)
      ? {}
      : { above: smallValue(random, type), below: smallValue(random, type) }),
  };
  return { inputs, transform, outputs: [type] };
};

const planCoordinates = (random: Random, draft: ProjectDraft): Plan | undefined => {
  const isEarth = random.chance(0.4);
  const from = draft.signals.filter(
    ({ type, bound, isExact }) =>
      isExact && type !== 'bool' && type !== 'enum' && bound <= (isEarth ? 300 : 1e5),
  );
  if (from.length === 0) return undefined;
  const origin = {
    latitude_deg: random.integer(-80, 80),
    longitude_deg: random.integer(-170, 170),
    ...random.some(0.5, { height_m: 120.5 }),
  };
  const plane = ['polar_to_cartesian', 'cartesian_to_polar', 'rotate_2d'];
  const space = ['spherical_to_cartesian', 'cartesian_to_spherical'];
  const name = random.pick(isEarth ? ['wgs84_to_enu', 'enu_to_wgs84'] : [...plane, ...space]);
  const transform: TransformRow = {
    kind: 'coordinate',
    function: name,
    ...(isEarth ? { origin } : {}),
    ...(name === 'rotate_2d' ? { angle_deg: random.pick([30, 90, -45.5]) } : {}),
  };
  const count = plane.includes(name) ? 2 : 3;
  const outputs = Array.from({ length: count }, (): SignalType => 'float64');
  return { inputs: several(random, from, count), transform, outputs, isRounded: true };
};

const planSimple = (random: Random, draft: ProjectDraft): Plan => {
  const inputs = [random.pick(draft.signals)];
  const outputs = [typeAfter(random, inputs)];
  if (random.chance(0.4)) {
    return { inputs, transform: random.chance(0.5) ? { kind: 'identity' } : undefined, outputs };
  }
  const factors = { k: random.pick([2, -1, 0.5, 1.8, 0, 1000]), b: random.pick([32, -1, 0.25]) };
  return { inputs, transform: { kind: 'linear', ...random.some(0.8, factors) }, outputs };
};

const planMapping = (random: Random, draft: ProjectDraft): Plan => {
  const kind = random.weighted({ simple: 3, math: 4, logic: 2, threshold: 2, coordinates: 2 });
  if (kind === 'math') return planMath(random, draft);
  if (kind === 'threshold') return planThreshold(random, draft);
  const plan =
    kind === 'logic'
      ? planLogic(random, draft)
      : kind === 'coordinates'
        ? planCoordinates(random, draft)
        : undefined;
  return plan ?? planSimple(random, draft);
};

/** A mapping of existing signals to new ones. */
const addMapping = (random: Random, draft: ProjectDraft): MappingRow => {
  const { inputs, transform, outputs, isRounded = false } = planMapping(random, draft);
  const jumps = transform?.kind === 'threshold';
  const isExact = !isRounded && (jumps || inputs.every((input) => input.isExact));
  const derived = outputs.map((type) =>
    draft.addSignal(
      {
        id: draft.name('derived'),
        type,
        producer: 'derived',
        ...random.some(0.3, { initial: smallValue(random, type) }),
      },
      { isExact },
    ),
  );
  return {
    id: draft.name('mapping'),
    inputs: inputs.map(({ id }) => id),
    outputs: derived.map(({ id }) => id),
    ...(transform === undefined ? {} : { transform }),
    ...random.some(0.25, {
      max_skew_ms: random.pick([0, 5, 20, 100]),
      ttl_ms: random.pick([5, 20, 100]),
    }),
  };
};

/** Mappings, also of mapped signals, in random row order. */
export const addMappings = (random: Random, draft: ProjectDraft): void => {
  const mappings: MappingRow[] = [];
  for (let left = random.integer(0, 6); left > 0; left -= 1) {
    mappings.push(addMapping(random, draft));
  }
  draft.tables.mappings.push(...random.shuffle(mappings));
};
