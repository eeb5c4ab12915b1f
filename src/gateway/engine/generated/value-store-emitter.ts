import { lowerHalf, upperHalf } from '../../values/cells.ts';
import { qualityNumber } from '../../values/quality.ts';
import type { DirtySet, RoundTime, SignalStates } from '../signal-states.ts';
import type { Constants } from './generate-function.ts';

const good = qualityNumber('good');

const maxFollowers = 8;

/** Generates code that sets signals, equivalent to `SignalStates.setGood`. */
export class ValueStoreEmitter {
  readonly constants: Constants;
  readonly #states: SignalStates;
  readonly #marks: DirtySet;

  constructor(states: SignalStates, marks: DirtySet, time: RoundTime) {
    this.#states = states;
    this.#marks = marks;
    const { mappings, outputs } = marks;
    this.constants = { ...states.columns(), time, marks, mappings, outputs };
  }

  isFloat(signal: number): boolean {
    return this.#states.typeOf(signal) === 'float64';
  }

  isDynamic(signal: number): boolean {
    return this.#states.isDynamic(signal);
  }

  text(signal: number): string {
    const share = this.isFloat(signal)
      ? `floats[${signal}] = value;`
      : `halves[${2 * signal + lowerHalf}] = value;
halves[${2 * signal + upperHalf}] = Math.floor(value / 4294967296);`;
    return `
const isSame = valid[${signal}] === 1 && numbers[${signal}] === value && wide[${signal}] === null;
observedUs[${signal}] = us;
sharedUs[${signal}] = us + unixOffsetUs;
${this.#readers(signal)}
if (!isSame) {
  numbers[${signal}] = value;
  if (wide[${signal}] !== null) wide[${signal}] = null;
  hasValue[${signal}] = 1;
  ${share}
  if (valid[${signal}] !== 1) {
    valid[${signal}] = 1;
    quality[${signal}] = ${good};
  }
  ${this.#outputs(signal)}
}`;
  }

  #readers(signal: number): string {
    const readers = this.#marks.readersOf(signal);
    if (readers.length > maxFollowers) return `marks.detailChanged(${signal});`;
    return readers.map((number) => `mappings.mark(${number});`).join('\n');
  }

  #outputs(signal: number): string {
    const outputs = this.#marks.outputsOf(signal);
    if (outputs.length > maxFollowers) return `marks.valueChanged(${signal});`;
    return outputs.map((number) => `outputs.add(${number});`).join('\n');
  }
}
