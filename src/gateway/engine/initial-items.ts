import type { Raw } from '../codecs/encode-linear.ts';
import type { WireField } from '../codecs/wire-field.ts';
import type { ExternalBinding } from '../modbus/server-image.ts';

export interface PlacedRaw {
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
