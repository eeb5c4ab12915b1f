import type { Transform } from '../project/tables/mappings.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { parseValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { PlainProgram } from './transform-program.ts';

type Threshold = Extract<Transform, { kind: 'threshold' }>;

const below = 0;
const above = 1;

/** Where the lower limit lies: exactly for integers and whole parameters, else as a double. */
const lowerLimit = ({ threshold, hysteresis }: Threshold, input: SignalType): number | bigint => {
  const isWhole =
    input !== 'float64' && Number.isInteger(threshold) && Number.isInteger(hysteresis);
  return isWhole ? BigInt(threshold) - BigInt(hysteresis) : threshold - hysteresis;
};

/** One of two values, with hysteresis: it begins below. */
export class ThresholdProgram extends PlainProgram {
  readonly #threshold: number;
  readonly #lower: Slots;
  /** The values below and above. */
  readonly #levels: Slots;
  #state: typeof below | typeof above = below;

  constructor(transform: Threshold, input: SignalType, output: SignalType) {
    super();
    this.#threshold = transform.threshold;
    this.#lower = new Slots(1);
    this.#lower.setValue(0, lowerLimit(transform, input));
    this.#levels = new Slots(2);
    // A project that was validated has values of the type.
    this.#levels.setValue(below, parseValue(output, transform.below) ?? 0);
    this.#levels.setValue(above, parseValue(output, transform.above) ?? 0);
  }

  run(inputs: Slots, outputs: Slots): boolean {
    if (this.#state === below) {
      if (this.#isReached(inputs)) this.#state = above;
    } else if (this.#isLeft(inputs)) {
      this.#state = below;
    }
    outputs.copyFrom(0, this.#levels, this.#state);
    return true;
  }

  override reset(): void {
    this.#state = below;
  }

  /** Whether the input is at the threshold or above. */
  #isReached({ numbers, wide }: Slots): boolean {
    const value = wide[0] as bigint | null;
    return value === null ? (numbers[0] as number) >= this.#threshold : value >= this.#threshold;
  }

  /** Whether the input is below the lower limit. */
  #isLeft({ numbers, wide }: Slots): boolean {
    const value = wide[0] as bigint | null;
    const limit = this.#lower.wide[0] as bigint | null;
    const number = numbers[0] as number;
    const limitNumber = this.#lower.numbers[0] as number;
    if (value === null) return limit === null ? number < limitNumber : number < limit;
    return limit === null ? value < limitNumber : value < limit;
  }
}
