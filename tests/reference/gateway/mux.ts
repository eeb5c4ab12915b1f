import type { FrameBindingRow } from './project.ts';

const isOneOf = (raw: bigint, values: readonly string[]): boolean =>
  values.some((text) => {
    const [from = '', to = from] = text.split('-');
    return raw >= BigInt(from) && raw <= BigInt(to);
  });

/**
 * Whether a binding is part of a frame: its selector is part of it, and has one of its raw
 * values. `rawOf` returns the raw value of a binding in that frame.
 */
export const isActive = (
  binding: FrameBindingRow,
  bindings: readonly FrameBindingRow[],
  rawOf: (binding: FrameBindingRow) => bigint,
): boolean => {
  if (binding.mux === undefined) return true;
  const { selector: id, values } = binding.mux;
  const selector = bindings.find((row) => row.id === id);
  if (selector === undefined || !isActive(selector, bindings, rawOf)) return false;
  return isOneOf(rawOf(selector), values);
};
