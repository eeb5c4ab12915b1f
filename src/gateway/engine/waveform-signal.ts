import type { WaveformProgram } from '../transforms/compile-waveform.ts';
import { Slots } from '../values/slots.ts';
import type { RoundTime } from './round-time.ts';
import type { SignalStates } from './signal-states.ts';

const slot = new Slots(1);

export class WaveformSignal {
  readonly signal: number;
  readonly #program: WaveformProgram;
  readonly #states: SignalStates;
  readonly #time: RoundTime;

  constructor(signal: number, program: WaveformProgram, states: SignalStates, time: RoundTime) {
    this.#time = time;
    this.signal = signal;
    this.#program = program;
    this.#states = states;
  }

  reset(): void {
    this.#states.reset(this.signal);
  }

  sample(): void {
    if (this.#program.sample(this.#time.elapsedUs, slot))
      this.#states.setGood(this.signal, slot, 0);
    else this.#states.setQuality(this.signal, 'error');
  }
}
