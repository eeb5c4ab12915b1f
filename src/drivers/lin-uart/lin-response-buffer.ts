import { isDiagnosticId, isSleepFrame, linChecksum, maxLinLength } from '../../frame/lin.ts';

/** The response to a header, as far as it has come. */
export class LinResponseBuffer {
  readonly bytes = new Uint8Array(maxLinLength + 1);
  id = 0;
  count = 0;
  /** Data bytes that are expected; 0 while that is open. */
  expected = 0;
  /** A byte was not what it should have been, so that no checksum can make the frame good. */
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

  /** Nothing can follow any more. */
  get isComplete(): boolean {
    return this.count === (this.expected || maxLinLength) + 1;
  }

  /** Data bytes, if the last byte is the checksum. */
  get length(): number {
    return Math.max(0, this.count - 1);
  }

  get checksum(): number {
    return this.count === 0 ? 0 : (this.bytes[this.count - 1] as number);
  }

  /** Whether the checksum is right by that model, and the length is as expected. */
  isValid(enhanced: boolean): boolean {
    if (this.isDamaged || this.length === 0) return false;
    if (this.expected !== 0 && this.expected !== this.length) return false;
    return this.#fits(enhanced);
  }

  /** Whether it could end here. */
  get mayEnd(): boolean {
    return this.length > 0 && (this.#fits(false) || this.#fits(true));
  }

  /** Whether it sends the bus to sleep. */
  get commandsSleep(): boolean {
    return isSleepFrame(this.id, this.bytes, 0, this.length) && this.isValid(false);
  }

  #fits(enhanced: boolean): boolean {
    const isEnhanced = enhanced && !isDiagnosticId(this.id);
    return linChecksum(isEnhanced, this.id, this.bytes, 0, this.length) === this.checksum;
  }
}
