import type { Raw } from '../codecs/encode-linear.ts';
import type { WireField } from '../codecs/wire-field.ts';
import type { ExternalBinding } from '../modbus/server-image.ts';

/** A raw and where it is put. */
export interface PlacedRaw {
  readonly field: WireField;
  readonly raw: Raw;
}

/** A binding of a resource that clients write, and the raw that its signal has at first. */
export interface InitialBinding extends ExternalBinding {
  readonly initialRaw: Raw;
}

/**
 * What clients find in a resource before they have written anything. Several bindings may read one resource: then it is
 * the first raw that a client could write as well, as all of them make something of it, or else 0. The memory is used to
 * find out.
 */
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
