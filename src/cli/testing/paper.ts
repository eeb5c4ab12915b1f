import type { Output } from '../output.ts';

/** An output that keeps its text, for tests. */
export class Paper implements Output {
  isTerminal = false;
  isAbandoned = false;
  columns: number | undefined;
  readonly writes: string[] = [];

  write(text: string | Uint8Array): void {
    this.writes.push(Buffer.from(text).toString());
  }

  get text(): string {
    return this.writes.join('');
  }
}
