import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { WaveformProgram } from '../transforms/compile-waveform.ts';
import { Slots } from '../values/slots.ts';
import type { RoundTime, SignalStates } from './signal-states.ts';

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

/**
 * Waveforms with the same period share one deadline: sorting a thousand deadlines would take
 * most of a round.
 */
export class WaveformGroup implements HeapEntry {
  heapIndex = -1;
  readonly signals: readonly WaveformSignal[];
  readonly #sampleUs: number;
  readonly #time: RoundTime;
  #startUs = 0;
  #samples = 0;

  constructor(signals: readonly WaveformSignal[], sampleUs: number, time: RoundTime) {
    this.signals = signals;
    this.#sampleUs = sampleUs;
    this.#time = time;
  }

  get nextUs(): number {
    return this.#startUs + this.#samples * this.#sampleUs;
  }

  reset(startUs: number): void {
    this.#startUs = startUs;
    this.#samples = 0;
    for (const signal of this.signals) signal.reset();
  }

  sample(): void {
    const time = this.#time;
    const latest = Math.floor((time.nowUs - this.#startUs) / this.#sampleUs);
    if (latest < this.#samples) return;
    this.#samples = latest + 1;
    time.elapsedUs = latest * this.#sampleUs;
    time.observedUs = this.#startUs + time.elapsedUs;
    const { signals } = this;
    for (let index = 0; index < signals.length; index++)
      (signals[index] as WaveformSignal).sample();
  }
}
