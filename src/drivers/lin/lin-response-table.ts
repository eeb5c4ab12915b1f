import { maxLinId } from '../../frame/frame.ts';
import { maxLinLength } from '../../frame/lin.ts';

export class LinResponseTable {
  readonly data = new Uint8Array((maxLinId + 1) * maxLinLength);
  readonly #lengths = new Uint8Array(maxLinId + 1);
  readonly #enhanced = new Uint8Array(maxLinId + 1);

  set(id: number, enhanced: boolean, data: Uint8Array, offset: number, length: number): void {
    this.#lengths[id] = length;
    this.#enhanced[id] = enhanced ? 1 : 0;
    const to = this.offsetOf(id);
    for (let i = 0; i < length; i++) this.data[to + i] = data[offset + i] as number;
  }

  clear(id: number): void {
    this.#lengths[id] = 0;
  }

  offsetOf(id: number): number {
    return id * maxLinLength;
  }

  lengthOf(id: number): number {
    return this.#lengths[id] as number;
  }

  isEnhanced(id: number): boolean {
    return this.#enhanced[id] === 1;
  }
}
