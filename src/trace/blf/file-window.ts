import type { ByteSource } from '../trace-format.ts';
import { ByteWindow } from './byte-window.ts';

const readBytes = 0x1_0000;

export class FileWindow {
  readonly window = new ByteWindow(4 * readBytes);
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get position(): number {
    return this.window.offsetOf(this.window.start);
  }

  more(): boolean {
    const { window } = this;
    window.reserve(readBytes);
    const place = window.bytes.subarray(window.end, window.end + window.room);
    const count = this.#source.read(place);
    window.end += count;
    return count > 0;
  }

  fill(count: number): boolean {
    const { window } = this;
    window.reserve(count - window.available);
    while (window.available < count) {
      if (!this.more()) return false;
    }
    return true;
  }
}
