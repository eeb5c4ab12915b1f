import { utf8 } from '../bytes/byte-buffer.ts';
import type { TableAssembler } from '../table-format.ts';

const nothing = new Uint8Array(0);

/** A text of parts after its first line. */
export const textAssembler = (head: string): TableAssembler => ({
  begin: () => utf8(head),
  add: () => undefined,
  end: () => nothing,
});

/** Few enough that the texts of some parts fit in memory. */
export const samplesPerTextPart = 32_768;
