import { isDiagnosticId, isSleepFrame, linChecksum, maxLinLength } from '../../frame/lin.ts';

export class LinResponseBuffer {
  readonly bytes = new Uint8Array(maxLinLength + 1);
  id = 0;
  count = 0;
  expected = 0;
  /** A byte was invalid, so the checksum cannot be valid. */
  isDamaged = false;

  begin(id: number, expected: number): void {
    this.id = id;
    this.count = 0;
    this.expected = expected;
    this.isDamaged = false;
  }

  add(byte: number): void {
    this.bytes[this.count++] = byte;
  }

  get isComplete(): boolean {
    return this.count === (this.expected || maxLinLength) + 1;
  }

  get length(): number {
    return Math.max(0, this.count - 1);
  }

  get checksum(): number {
    return this.count === 0 ? 0 : (this.bytes[this.count - 1] as number);
  }

  isValid(enhanced: boolean): boolean {
    if (this.isDamaged || this.length === 0) return false;
    if (this.expected !== 0 && this.expected !== this.length) return false;
    return this.#fits(enhanced);
  }

  get mayEnd(): boolean {
    return this.length > 0 && (this.#fits(false) || this.#fits(true));
  }

  get commandsSleep(): boolean {
    return isSleepFrame(this.id, this.bytes, 0, this.length) && this.isValid(false);
  }

  #fits(enhanced: boolean): boolean {
    const isEnhanced = enhanced && !isDiagnosticId(this.id);
    return linChecksum(isEnhanced, this.id, this.bytes, 0, this.length) === this.checksum;
  }
}
