import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { maxLinId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { readId, unclearWidth } from '../../frame/id-pattern.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';

export const maxIdChanges = 1024;

interface Identifier {
  readonly id: number;
  readonly extended: boolean;
}

export interface IdChange {
  readonly from: Identifier;
  readonly to: Identifier;
}

const wrong = (key: string, words: string, reason: string): BusbarError =>
  invalidArgument('ids', `ids ${words}`, { reason, id: key });

const identifierOf = (key: string, text: string): Identifier => {
  const read = readId(text);
  if ('reason' in read) throw wrong(key, read.words, read.reason);
  const { value, extended } = read;
  if (extended === null) {
    const { words, reason } = unclearWidth(text);
    throw wrong(key, words, reason);
  }
  return { id: value, extended };
};

const keyOf = ({ id, extended }: Identifier): number => (extended ? id + 0x2000_0000 : id);

/** Reads `{ "123": "124" }`: identifiers as printed, so their digits are their width. */
export const idChangesOf = (ids: Readonly<Record<string, string>>): readonly IdChange[] => {
  const entries = Object.entries(ids);
  if (entries.length > maxIdChanges) {
    throw invalidArgument('ids', `ids must have at most ${maxIdChanges} identifiers`, {
      reason: 'out_of_range',
    });
  }
  const known = new Set<number>();
  return entries.map(([key, text]) => {
    const change = { from: identifierOf(key, key), to: identifierOf(key, text) };
    if (known.has(keyOf(change.from))) {
      throw wrong(key, `has ${key} more than once`, 'duplicate_key');
    }
    known.add(keyOf(change.from));
    return change;
  });
};

/** Changes identifiers of frames. LIN frames have identifiers of 6 bits, written like 11 bits. */
export class IdChanges {
  readonly #to: ReadonlyMap<number, Identifier>;

  constructor(changes: readonly IdChange[]) {
    this.#to = new Map(changes.map(({ from, to }) => [keyOf(from), to]));
  }

  apply(batch: TraceBatch): void {
    if (this.#to.size === 0) return;
    for (let row = 0; row < batch.count; row++) this.#applyTo(batch, row);
  }

  #applyTo(batch: TraceBatch, row: number): void {
    const flags = batch.flags[row] as number;
    if ((flags & frameFlag.error) !== 0) return;
    const id = batch.id[row] as number;
    const isLin = batch.bus[row] === busCode.lin;
    const isExtended = !isLin && (flags & frameFlag.extended) !== 0;
    const to = this.#to.get(isExtended ? id + 0x2000_0000 : id);
    if (to === undefined || (isLin && (to.extended || to.id > maxLinId))) return;
    batch.id[row] = to.id;
    batch.flags[row] = to.extended ? flags | frameFlag.extended : flags & ~frameFlag.extended;
  }
}
