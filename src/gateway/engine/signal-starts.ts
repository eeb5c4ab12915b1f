import { signalTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { producers } from '../project/tables/signals.ts';
import { qualityNumber } from '../values/quality.ts';
import type { RoundTime, SignalStates } from './signal-states.ts';

const software = producers.indexOf('software');
const constant = producers.indexOf('constant');
const initial = qualityNumber('initial');

export class SignalStarts {
  readonly #signals: SignalStates;
  readonly #time: RoundTime;
  readonly #producers: Uint8Array;
  readonly #wasSet: Uint8Array;

  constructor(image: ProjectImage, signals: SignalStates, time: RoundTime) {
    this.#signals = signals;
    this.#time = time;
    this.#producers = signalTable.open(image.signals).producer;
    this.#wasSet = new Uint8Array(signals.count);
  }

  findSet(): void {
    for (let signal = 0; signal < this.#wasSet.length; signal++) {
      const isSoftware = this.#producers[signal] === software;
      if (isSoftware && this.#signals.qualityOf(signal) !== initial) this.#wasSet[signal] = 1;
    }
  }

  set(signal: number): void {
    this.#wasSet[signal] = 1;
  }

  reset(signal: number): void {
    const signals = this.#signals;
    if (this.#wasSet[signal] === 1) {
      signals.adopt(signal);
      return;
    }
    signals.reset(signal);
    this.#time.observedUs = Number.NaN;
    if (this.#producers[signal] === constant) signals.setQuality(signal, 'good');
  }

  /** Initial values of software signals are observed at the start. */
  observeInitials(nowUs: number): void {
    const signals = this.#signals;
    this.#time.observedUs = nowUs;
    for (let signal = 0; signal < this.#wasSet.length; signal++) {
      const isInitial = this.#producers[signal] === software && this.#wasSet[signal] === 0;
      if (isInitial && signals.hasValue(signal)) signals.setQuality(signal, 'good');
    }
  }
}
