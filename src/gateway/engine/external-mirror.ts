import type { Raw } from '../codecs/encode-linear.ts';
import type { WireField } from '../codecs/wire-field.ts';
import type { bindingStateTable } from '../image/image-tables.ts';
import type { ExternalBinding } from '../modbus/server-image.ts';
import type { Cells } from '../values/cells.ts';
import type { SignalStates } from './signal-states.ts';

interface PlacedRaw {
  readonly field: WireField;
  readonly raw: Raw;
}

export interface InitialBinding extends ExternalBinding {
  readonly initialRaw: Raw;
}

export const initialItems = (
  bindings: readonly [InitialBinding, ...InitialBinding[]],
  memory: Uint8Array,
): PlacedRaw => {
  const [{ field: first, initialRaw }, ...others] = bindings;
  if (others.length === 0) return { field: first, raw: initialRaw };
  for (const { field, initialRaw: raw } of bindings) {
    field.write(memory, 0, raw);
    const isAccepted = bindings.every((each) => each.decoder.accepts(each.field.read(memory, 0)));
    if (isAccepted) return { field, raw };
  }
  return { field: first, raw: 0 };
};

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
