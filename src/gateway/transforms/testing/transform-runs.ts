import type { SignalType, Waveform } from '../../project/tables/signals.ts';
import { Slots } from '../../values/slots.ts';
import { compileTransform } from '../compile-transform.ts';
import { compileWaveform } from '../compile-waveform.ts';
import type { BuiltIn } from './run-transform.ts';

/**
 * Runs transformations and waveforms alternately, as an engine does, and returns the bytes
 * allocated per run.
 */
const origin = { latitude_deg: 48, longitude_deg: 11, height_m: 500 };
const numbers: SignalType[] = ['float64', 'float64', 'float64'];
const integers: SignalType[] = ['int64', 'int64', 'int64'];

const calls: readonly (readonly [BuiltIn, SignalType[], SignalType[]])[] = [
  [{ kind: 'identity' }, ['int64'], ['float64']],
  [{ kind: 'linear', k: 1.8, b: 32 }, ['float64'], ['float64']],
  [{ kind: 'linear', k: 3, b: 2 ** 40 }, ['int64'], ['int64']],
  [
    { kind: 'threshold', threshold: 1e9, hysteresis: 5, above: '1', below: '0' },
    ['int64'],
    ['bool'],
  ],
  [{ kind: 'math', function: 'add' }, integers, ['int64']],
  [{ kind: 'math', function: 'add' }, numbers, ['float64']],
  [{ kind: 'math', function: 'average' }, integers, ['float64']],
  [{ kind: 'math', function: 'max' }, integers, ['int64']],
  [{ kind: 'math', function: 'mod' }, integers.slice(1), ['int64']],
  [{ kind: 'math', function: 'sqrt' }, ['int64'], ['float64']],
  [{ kind: 'math', function: 'round' }, ['float64'], ['int64']],
  [{ kind: 'coordinate', function: 'cartesian_to_spherical' }, numbers, numbers],
  [{ kind: 'coordinate', function: 'wgs84_to_enu', origin }, numbers, numbers],
  [{ kind: 'coordinate', function: 'enu_to_wgs84', origin }, numbers, numbers],
];

const periodic = { amplitude: 7, offset: 1, period_ms: 70, phase: 0.1, sample_ms: 10 };
const waveforms: readonly Waveform[] = [
  { kind: 'sine', ...periodic },
  { kind: 'triangle', ...periodic },
  { kind: 'square', ...periodic, duty: 0.3 },
  { kind: 'step', values: ['1', '2.5'], dwell_ms: 20, sample_ms: 10 },
];

const programs = calls.map(([transform, inputs, outputs]) =>
  compileTransform(transform, inputs, outputs),
);
const shapes = waveforms.map((waveform) => compileWaveform(waveform, 'float64'));
const inputs = new Slots(3);
const outputs = new Slots(3);

const runRounds = (rounds: number): void => {
  for (let round = 0; round < rounds; round++) {
    inputs.numbers[0] = 40 + (round % 7) * 1e9;
    inputs.numbers[1] = 10 + (round % 3) * 5e9;
    inputs.numbers[2] = 3e9 - (round % 5);
    for (const program of programs) program.run(inputs, outputs);
    // Small integers are not allocated, unlike doubles passed by a caller.
    for (const shape of shapes) shape.sample(round * 1000, outputs);
  }
};

const warmUpRounds = 60_000;
const rounds = 20_000;
runRounds(warmUpRounds);
globalThis.gc?.();
// Code compiled last is no longer discarded by the collection.
runRounds(warmUpRounds);
const before = process.memoryUsage().heapUsed;
runRounds(rounds);
const bytes = process.memoryUsage().heapUsed - before;
console.log(JSON.stringify({ bytes: bytes / (rounds * (programs.length + shapes.length)) }));
