import type { BitField } from '../codecs/bit-field.ts';
import type { OutputBinding } from './output-binding.ts';

/** The validity bit of a binding that another task writes. */
export class ValidityOutput {
  readonly selector = null;
  readonly ranges = null;
  readonly sent = null;
  isActive = true;
  readonly #binding: OutputBinding;
  readonly #bit: BitField;

  constructor(binding: OutputBinding, bit: BitField) {
    this.#binding = binding;
    this.#bit = bit;
  }

  get signal(): number {
    return this.#binding.signal;
  }

  get isValid(): boolean {
    return this.#binding.isValid;
  }

  get raw(): number {
    return this.isValid ? 1 : 0;
  }

  write(bytes: Uint8Array): void {
    this.#bit.write(bytes, 0, this.raw);
  }
}
