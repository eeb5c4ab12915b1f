import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { WaveformProgram } from '../transforms/compile-waveform.ts';
import { Slots } from '../values/slots.ts';
import type { RoundTime } from './round-time.ts';
import type { SignalStates } from './signal-states.ts';

const slot = new Slots(1);

/** A signal that is a function of the time since the start, sampled on a grid. */
export class WaveformSignal implements HeapEntry {
  heapIndex = -1;
  readonly signal: number;
  readonly #program: WaveformProgram;
  readonly #sampleUs: number;
  readonly #states: SignalStates;
  readonly #time: RoundTime;
  #startUs = 0;
  #samples = 0;

  constructor(
    signal: number,
    program: WaveformProgram,
    sampleUs: number,
    states: SignalStates,
    time: RoundTime,
  ) {
    this.#time = time;
    this.signal = signal;
    this.#program = program;
    this.#sampleUs = sampleUs;
    this.#states = states;
  }

  get nextUs(): number {
    return this.#startUs + this.#samples * this.#sampleUs;
  }

  reset(startUs: number): void {
    this.#startUs = startUs;
    this.#samples = 0;
    this.#states.reset(this.signal);
  }

  /** Takes the latest sample that is due. */
  sample(): void {
    const latest = Math.floor((this.#time.nowUs - this.#startUs) / this.#sampleUs);
    if (latest < this.#samples) return;
    this.#samples = latest + 1;
    const elapsedUs = latest * this.#sampleUs;
    this.#time.observedUs = this.#startUs + elapsedUs;
    if (this.#program.sample(elapsedUs, slot)) this.#states.take(this.signal, slot, 0);
    else this.#states.judge(this.signal, 'error');
  }
}
