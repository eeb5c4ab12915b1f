import { attempt, type NamedPath } from '../../base/files/path-refusals.ts';
import { writeAllAt } from '../../base/files/write-all.ts';

/** A file to which threads write, each in its turn. */
export interface TurnFile {
  readonly fd: number;
  readonly named: NamedPath;
  readonly memory: SharedArrayBuffer;
}

const positionAt = 8;
const memoryBytes = 16;

/** An open file to which other threads can write from a position. */
export interface OpenOutput {
  readonly fd: number;
  readonly named: NamedPath;
  readonly position: number;
}

export const turnFile = ({ fd, named, position }: OpenOutput): TurnFile => {
  const memory = new SharedArrayBuffer(memoryBytes);
  new Float64Array(memory, positionAt)[0] = position;
  return { fd, named, memory };
};

/**
 * Orders the writes of threads to a file, without copying their bytes to one thread. Turns are
 * numbered from 0. A thread that fails in its turn does not end it, so nothing after it is written.
 */
export class FileTurns {
  readonly #file: TurnFile;
  readonly #turn: Int32Array;
  readonly #position: Float64Array;

  constructor(file: TurnFile) {
    this.#file = file;
    this.#turn = new Int32Array(file.memory, 0, 1);
    this.#position = new Float64Array(file.memory, positionAt, 1);
  }

  /** Writes after the bytes of all turns before, once these have ended. */
  write(turn: number, bytes: Uint8Array): void {
    this.#await(turn);
    const { fd, named } = this.#file;
    const position = this.#position[0] as number;
    attempt(named, () => writeAllAt(fd, bytes, position));
    this.#position[0] = position + bytes.length;
  }

  end(turn: number): void {
    this.#await(turn);
    Atomics.store(this.#turn, 0, turn + 1);
    Atomics.notify(this.#turn, 0);
  }

  #await(turn: number): void {
    for (;;) {
      const current = Atomics.load(this.#turn, 0);
      if (current === turn) return;
      Atomics.wait(this.#turn, 0, current);
    }
  }
}
