import type { WireField } from '../codecs/wire-field.ts';
import type { bindingStateTable } from '../image/image-tables.ts';
import type { Cells } from '../values/cells.ts';
import type { PlacedRaw } from './initial-items.ts';
import type { SignalStates } from './signal-states.ts';

export interface ExternalMirrorParts {
  readonly signal: number;
  readonly field: WireField;
  readonly memory: Uint8Array;
  readonly state: number;
  readonly isFloat: boolean;
  readonly initial: PlacedRaw;
}

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

  reset(): void {
    const { initial, memory } = this.#parts;
    initial.field.write(memory, 0, initial.raw);
    this.update();
  }

  update(): void {
    const { signal, field, memory, state, isFloat } = this.#parts;
    const raw = field.read(memory, 0);
    this.#valid[state] = this.#signals.isValid(signal) ? 1 : 0;
    this.#raws.put(state, raw, isFloat);
  }
}
