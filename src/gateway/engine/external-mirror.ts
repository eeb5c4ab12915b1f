import type { WireField } from '../codecs/wire-field.ts';
import type { bindingStateTable } from '../image/image-tables.ts';
import type { Cells } from '../values/cells.ts';
import type { PlacedRaw } from './initial-items.ts';
import type { SignalStates } from './signal-states.ts';

export interface ExternalMirrorParts {
  readonly signal: number;
  readonly field: WireField;
  /** Items of its server. */
  readonly memory: Uint8Array;
  /** Which state of bindings is its own. */
  readonly state: number;
  readonly isFloat: boolean;
  /** What clients find before they have written anything. */
  readonly initial: PlacedRaw;
}

/** A binding that clients write, as it is shown: with the raw that is in the registers. */
export class ExternalMirror {
  readonly #parts: ExternalMirrorParts;
  readonly #signals: SignalStates;
  readonly #raws: Cells;
  readonly #valid: Uint8Array;

  constructor(
    parts: ExternalMirrorParts,
    signals: SignalStates,
    shared: ReturnType<typeof bindingStateTable.open>,
  ) {
    this.#parts = parts;
    this.#signals = signals;
    this.#raws = shared.raw;
    this.#valid = shared.valid;
  }

  /** Puts what clients find at first into the registers. */
  reset(): void {
    const { initial, memory } = this.#parts;
    initial.field.write(memory, 0, initial.raw);
    this.update();
  }

  /** Registers, or the worth of the signal, may be others. */
  update(): void {
    const { signal, field, memory, state, isFloat } = this.#parts;
    const raw = field.read(memory, 0);
    this.#valid[state] = this.#signals.isValid(signal) ? 1 : 0;
    this.#raws.put(state, raw, isFloat);
  }
}
