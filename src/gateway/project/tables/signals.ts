import { type Static, Type } from 'typebox';
import {
  choice,
  integerText,
  optional,
  record,
  variants,
} from '../../../base/schema/field-schemas.ts';
import { decimalText, freeText, milliseconds, parameter, row } from '../fields.ts';

export const signalTypes = ['bool', 'int64', 'uint64', 'float64', 'enum'] as const;
export type SignalType = (typeof signalTypes)[number];

export const producers = ['input', 'software', 'waveform', 'constant', 'derived'] as const;
export type Producer = (typeof producers)[number];

const sampleMs = milliseconds('Time between two samples', { minimum: 1, default: 10 });

const StepWaveform = record({
  kind: choice(['step'], 'One value after another, over and over'),
  values: Type.Array(decimalText('A value of the signal'), {
    description: 'The values in turn',
    minItems: 1,
  }),
  dwell_ms: milliseconds('How long each value lasts', { minimum: 1 }),
  sample_ms: sampleMs,
});

const periodic = {
  amplitude: parameter('Largest distance from the offset'),
  offset: parameter('Middle of the waveform', { default: 0 }),
  period_ms: parameter('Time of one period in milliseconds'),
  phase: parameter('Fraction of the period elapsed at the start', {
    minimum: 0,
    maximum: 1,
    default: 0,
  }),
};

const SmoothWaveform = record({
  kind: choice(['sine', 'triangle', 'ramp'], 'Shape'),
  ...periodic,
  sample_ms: sampleMs,
});

const SquareWaveform = record({
  kind: choice(['square'], 'Up while the part of the period is below the duty, else down'),
  ...periodic,
  duty: parameter('Part of the period that is up', { minimum: 0, maximum: 1, default: 0.5 }),
  sample_ms: sampleMs,
});

export const Waveform = variants('kind', [StepWaveform, SmoothWaveform, SquareWaveform], {
  description: 'How values come about with time, which counts from the start',
});
export type Waveform = Static<typeof Waveform>;

const Label = record({ value: integerText('Number'), label: freeText('What it stands for') });

export const SignalRow = row({
  type: choice(signalTypes, 'Exact type of the value'),
  producer: choice(producers, 'What the value comes from'),
  initial: optional(decimalText('Value until the first valid observation')),
  unit: optional(freeText('Physical unit')),
  labels: optional(Type.Array(Label, { description: 'Labels of values; required for an enum' })),
  waveform: optional(Waveform),
});
export type SignalRow = Static<typeof SignalRow>;
