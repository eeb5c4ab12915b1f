import { utf8 } from '../bytes/byte-buffer.ts';
import type { TableAssembler, TablePart } from '../table-format.ts';

const nothing = new Uint8Array(0);

/** Joins parts of a text after its first line. */
export const textAssembler = (head: string): TableAssembler => ({
  begin: () => utf8(head),
  add: ({ bytes }: TablePart) => [bytes],
  end: () => nothing,
});

/** Few enough that the texts of some parts fit in memory. */
export const samplesPerTextPart = 16_384;
