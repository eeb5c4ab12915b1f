import type { SignalType, Waveform } from '../project/tables/signals.ts';
import { parseValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { OutputCheck } from './transform-program.ts';

const microsPerMilli = 1000;

/** A waveform compiled for the type of its signal. Running it allocates nothing. */
export interface WaveformProgram {
  /**
   * Writes the value at this time since the start into the first slot. Returns false if it is
   * not a value of the type.
   */
  sample(timeUs: number, out: Slots): boolean;
}

type StepWaveform = Extract<Waveform, { kind: 'step' }>;
type PeriodicWaveform = Exclude<Waveform, StepWaveform>;

class StepProgram implements WaveformProgram {
  readonly #values: Slots;
  readonly #dwellUs: number;

  constructor({ values, dwell_ms }: StepWaveform, type: SignalType) {
    this.#values = new Slots(values.length);
    for (const [step, text] of values.entries()) {
      this.#values.setValue(step, parseValue(type, text) ?? 0);
    }
    this.#dwellUs = dwell_ms * microsPerMilli;
  }

  sample(timeUs: number, out: Slots): boolean {
    // Without the remainder, the quotient is an exact integer.
    const steps = (timeUs - (timeUs % this.#dwellUs)) / this.#dwellUs;
    out.copyFrom(0, this.#values, steps % this.#values.count);
    return true;
  }
}

/** Replaces the phase, 0 to 1, with the deviation from the midpoint, −1 to 1. */
type Shape = (numbers: Float64Array) => void;

const partIn = (numbers: Float64Array): number => numbers[0] as number;

const sine: Shape = (numbers) => {
  numbers[0] = Math.sin(2 * Math.PI * partIn(numbers));
};

const triangle: Shape = (numbers) => {
  const part = partIn(numbers);
  numbers[0] = part < 0.5 ? 4 * part - 1 : 3 - 4 * part;
};

const ramp: Shape = (numbers) => {
  numbers[0] = 2 * partIn(numbers) - 1;
};

const square =
  (duty: number): Shape =>
  (numbers) => {
    numbers[0] = partIn(numbers) < duty ? 1 : -1;
  };

const shapeOf = (waveform: PeriodicWaveform): Shape =>
  waveform.kind === 'square' ? square(waveform.duty) : { sine, triangle, ramp }[waveform.kind];

class PeriodicProgram implements WaveformProgram {
  readonly #shape: Shape;
  readonly #amplitude: number;
  readonly #offset: number;
  readonly #periodUs: number;
  readonly #phase: number;
  readonly #check: OutputCheck;

  constructor(waveform: PeriodicWaveform, type: SignalType) {
    this.#shape = shapeOf(waveform);
    this.#amplitude = waveform.amplitude;
    this.#offset = waveform.offset;
    this.#periodUs = waveform.period_ms * microsPerMilli;
    this.#phase = waveform.phase;
    this.#check = new OutputCheck(type);
  }

  sample(timeUs: number, out: Slots): boolean {
    const periods = timeUs / this.#periodUs + this.#phase;
    out.numbers[0] = periods - Math.floor(periods);
    this.#shape(out.numbers);
    out.numbers[0] = this.#offset + this.#amplitude * (out.numbers[0] as number);
    return this.#check.settleNumber(out, 0);
  }
}

export const compileWaveform = (waveform: Waveform, type: SignalType): WaveformProgram =>
  waveform.kind === 'step' ? new StepProgram(waveform, type) : new PeriodicProgram(waveform, type);
