import type { SignalType, WaveformRow } from './project.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Random } from './random.ts';

const types: readonly SignalType[] = ['bool', 'int64', 'uint64', 'float64', 'enum'];
const smallBound = 250;

/** A value of a type near 0. */
export const smallValue = (random: Random, type: SignalType): string => {
  switch (type) {
    case 'bool':
      return String(random.integer(0, 1));
    case 'float64':
      return String(random.integer(-1000, 1000) / random.pick([4, 5, 10, 8]));
    case 'int64':
      return String(random.integer(-200, 200));
    default:
      return String(random.integer(0, 200));
  }
};

/** A value of a type near its limits. */
export const wideValue = (random: Random, type: SignalType): string => {
  switch (type) {
    case 'float64':
      return random.pick(['1e300', '-1e300', '9007199254740993', '16777217', '0.1', '1e-7']);
    case 'int64':
    case 'enum':
      return random.pick(['-9223372036854775808', '9223372036854775807', '9007199254740993']);
    case 'uint64':
      return random.pick(['18446744073709551615', '9007199254740993', '4294967296']);
    default:
      return '1';
  }
};

const addConstant = (random: Random, draft: ProjectDraft): void => {
  const type = random.pick(types);
  const initial = smallValue(random, type);
  draft.addSignal(
    { id: draft.name('constant'), type, producer: 'constant', initial },
    { bound: smallBound },
  );
};

/** Signals in `wide` are also set to large values. */
const addSoftware = (random: Random, draft: ProjectDraft): void => {
  const type = random.pick(types);
  const isWide = random.chance(0.25);
  draft.addSignal(
    {
      id: draft.name(isWide ? 'wide' : 'software'),
      type,
      producer: 'software',
      ...random.some(0.6, { initial: smallValue(random, type) }),
    },
    isWide ? {} : { bound: smallBound },
  );
};

const randomWaveform = (random: Random, type: SignalType): WaveformRow => {
  const sampleMs = random.pick([5, 10, 20]);
  const sample = sampleMs === 10 ? {} : { sample_ms: sampleMs };
  if (type !== 'float64' || random.chance(0.3)) {
    const values = Array.from({ length: random.integer(1, 4) }, () => smallValue(random, type));
    return { kind: 'step', values, dwell_ms: random.pick([7, 10, 20, 35]), ...sample };
  }
  const kind = random.pick(['sine', 'triangle', 'square', 'ramp'] as const);
  return {
    kind,
    amplitude: random.pick([1, 2.5, 40, -8]),
    // Samples at binary fractions of the period: rounding moves none across a step.
    period_ms: sampleMs * random.pick([2, 4, 8, 16, 0.5]),
    ...random.some(0.5, { offset: random.pick([0.5, -10, 100]), phase: random.integer(0, 7) / 8 }),
    ...(kind === 'square' ? random.some(0.5, { duty: random.pick([0.25, 0.75, 0, 1]) }) : {}),
    ...sample,
  };
};

const addWaveform = (random: Random, draft: ProjectDraft): void => {
  const type = random.pick(types);
  const waveform = randomWaveform(random, type);
  draft.addSignal(
    {
      id: draft.name('waveform'),
      type,
      producer: 'waveform',
      waveform,
      ...random.some(0.3, { initial: smallValue(random, type) }),
    },
    { isExact: waveform.kind !== 'sine', bound: smallBound },
  );
};

/** Signals that come from neither a bus nor a mapping. */
export const addOwnSignals = (random: Random, draft: ProjectDraft): void => {
  for (let left = random.integer(0, 2); left > 0; left -= 1) addConstant(random, draft);
  for (let left = random.integer(1, 3); left > 0; left -= 1) addSoftware(random, draft);
  for (let left = random.integer(0, 2); left > 0; left -= 1) addWaveform(random, draft);
};
