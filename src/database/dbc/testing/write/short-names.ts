import { independentSignals, noNode } from '../../message-id.ts';
import { keywords } from '../../read/keywords.ts';
import type { DbcAttributeOwner } from '../../specifics.ts';

const max = 32;
const suffixLength = 5;
const regular = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Names that readers accept although the format does not allow them. */
const readable = /^[A-Za-z0-9_\u0080-\uffff][^\s:;,|@()[\]"/\x00-\x20]*$/;

const reserved: ReadonlySet<string> = new Set([...keywords, noNode, independentSignals]);

const isWritable = (name: string): boolean =>
  name.length <= max && readable.test(name) && !reserved.has(name);

/**
 * Names within the limits of the format: at most 32 characters, no punctuation. If a name
 * differs, an attribute stores the full one.
 */
export class ShortNames {
  readonly owner: DbcAttributeOwner;
  readonly #shortOf = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  constructor(owner: DbcAttributeOwner, names: Iterable<string>) {
    this.owner = owner;
    const unwritable: string[] = [];
    for (const name of names) {
      if (isWritable(name)) this.#taken.add(name);
      else unwritable.push(name);
    }
    for (const name of unwritable) {
      if (!this.#shortOf.has(name)) this.#shortOf.set(name, this.#shorten(name));
    }
  }

  of(name: string): string {
    return this.#shortOf.get(name) ?? name;
  }

  get shortened(): ReadonlyMap<string, string> {
    return this.#shortOf;
  }

  #shorten(name: string): string {
    const clean = name.replace(/[^A-Za-z0-9_]/g, '_');
    const begun = regular.test(clean) ? clean : `_${clean}`;
    let short = begun.slice(0, max);
    while (this.#taken.has(short) || reserved.has(short)) {
      const stem = begun.slice(0, max - suffixLength);
      const count = this.#counts.get(stem) ?? 0;
      this.#counts.set(stem, count + 1);
      const suffix = `_${count.toString().padStart(suffixLength - 1, '0')}`;
      short = stem.slice(0, max - suffix.length) + suffix;
    }
    this.#taken.add(short);
    return short;
  }
}
