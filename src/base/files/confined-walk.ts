import { realpathSync } from 'node:fs';
import { join, parse, sep } from 'node:path';
import { errnoOf } from '../errors/errno-of.ts';
import type { EntryHandle } from './entry-handle.ts';
import {
  directoryNotFound,
  type NamedPath,
  outside,
  refusalOf,
  unavailable,
} from './path-refusals.ts';

/** Names of a path. `anchor` is empty for a relative path. */
interface PathNames {
  readonly anchor: string;
  readonly names: readonly string[];
}

const separators = sep === '\\' ? /[\\/]/ : /\//;

/**
 * Taken literally: nothing is decoded, no case is folded and `..` stays, because what it means
 * depends on links. A trailing slash becomes a final `.`, which only a directory can satisfy.
 */
const namesOf = (path: string): PathNames => {
  const anchor = parse(path).root;
  const parts = path.slice(anchor.length).split(separators);
  const names = parts.filter((part) => part !== '' && part !== '.');
  const last = parts.at(-1);
  if (last === '' || last === '.') names.push('.');
  return { anchor, names };
};

const realNamesOf = (path: string): PathNames | undefined => {
  try {
    return namesOf(realpathSync.native(path));
  } catch {
    return undefined;
  }
};

/**
 * The same absolute path with the links in its existing part resolved. Nothing after a `..` is
 * checked: the result would reveal whether a directory outside exists.
 */
const throughLinks = ({ anchor, names }: PathNames): PathNames => {
  const firstUp = names.indexOf('..');
  for (let kept = firstUp === -1 ? names.length : firstUp; kept > 0; kept -= 1) {
    const real = realNamesOf(anchor + names.slice(0, kept).join(sep));
    if (real !== undefined) {
      return { anchor: real.anchor, names: [...real.names, ...names.slice(kept)] };
    }
  }
  return { anchor, names };
};

const below = (root: PathNames, path: PathNames): readonly string[] | undefined => {
  const base = root.names.filter((name) => name !== '.');
  const inside =
    path.anchor === root.anchor && base.every((name, index) => path.names[index] === name);
  return inside ? path.names.slice(base.length) : undefined;
};

/**
 * The names to walk from `root` (a canonical absolute path) to get where `path` leads, or
 * undefined for an absolute path elsewhere. An absolute path may reach the root through links.
 * This only chooses the names: the walk is what confines, so a link swapped here harms nothing.
 */
const namesFrom = (root: string, path: string): readonly string[] | undefined => {
  const given = namesOf(path);
  if (given.anchor === '') return given.names;
  const rootNames = namesOf(root);
  return below(rootNames, given) ?? below(rootNames, throughLinks(given));
};

const isAbsoluteName = (path: string): boolean => namesOf(path).anchor !== '';

/** Where a path leads. Without a `pin` nothing exists there, but its directory does. */
export interface Place {
  readonly path: string;
  readonly pin: EntryHandle | undefined;
  /** Directory of a missing entry, and its name there. */
  readonly directory: EntryHandle;
  readonly name: string;
}

interface Step {
  readonly name: string;
  readonly pin: EntryHandle;
}

/** As many links as Linux follows. */
const maxLinks = 40;

/**
 * Goes to where a path leads, one name at a time from the pinned root, and follows links by hand.
 * No step goes above the root, so confinement is not a check that something could slip past: there
 * is no way out. `..` returns to the directory the walk came from.
 */
export class ConfinedWalk {
  readonly #root: EntryHandle;
  readonly #rootPath: string;
  readonly #named: NamedPath;
  readonly #trail: Step[] = [];
  readonly #pending: string[] = [];
  #links = 0;

  constructor(root: EntryHandle, rootPath: string, named: NamedPath) {
    this.#root = root;
    this.#rootPath = rootPath;
    this.#named = named;
    this.#expect(named.path);
  }

  /** Walks to the end. `release` closes the pins. */
  finish(): Place {
    for (let name = this.#pending.pop(); name !== undefined; name = this.#pending.pop()) {
      if (!this.#here.stats.isDirectory()) {
        throw this.#leadsOut(name) ? outside(this.#named) : this.#unavailable('not_a_directory');
      }
      if (name === '.') continue;
      if (name === '..') this.#goUp();
      else if (!this.#enter(name)) return this.#placeOf(undefined, name);
    }
    return this.#placeOf(this.#here, '');
  }

  release(): void {
    for (const { pin } of this.#trail.splice(0)) pin.release();
  }

  get #here(): EntryHandle {
    return this.#trail.at(-1)?.pin ?? this.#root;
  }

  #unavailable(reason: string): Error {
    return unavailable(this.#named, reason);
  }

  #placeOf(pin: EntryHandle | undefined, name: string): Place {
    const path = join(this.#rootPath, ...this.#trail.map((step) => step.name), name);
    return { path, pin, directory: this.#here, name };
  }

  #expect(path: string): void {
    const names = namesFrom(this.#rootPath, path);
    if (names === undefined) throw outside(this.#named);
    this.#pending.push(...names.toReversed());
  }

  #goUp(): void {
    const left = this.#trail.pop();
    if (left === undefined) throw outside(this.#named);
    left.pin.release();
  }

  /** Returns false if the last name is missing. */
  #enter(name: string): boolean {
    const pin = this.#look(name);
    if (pin === undefined) {
      if (this.#pending.length === 0) return false;
      throw this.#leadsOut(name) ? outside(this.#named) : directoryNotFound(this.#named);
    }
    if (pin.stats.isSymbolicLink()) {
      pin.release();
      this.#follow(name);
    } else {
      this.#trail.push({ name, pin });
    }
    return true;
  }

  #look(name: string): EntryHandle | undefined {
    try {
      return this.#here.look(name);
    } catch (thrown) {
      if (errnoOf(thrown) === 'ENOENT') return undefined;
      throw refusalOf(this.#named, thrown);
    }
  }

  #follow(name: string): void {
    this.#links += 1;
    if (this.#links > maxLinks) throw this.#unavailable('ELOOP');
    const target = this.#readLink(name);
    if (target === undefined) {
      this.#pending.push(name);
      return;
    }
    if (isAbsoluteName(target)) this.release();
    this.#expect(target);
  }

  /** Returns undefined if the link was replaced meanwhile. */
  #readLink(name: string): string | undefined {
    try {
      return this.#here.readLink(name);
    } catch (thrown) {
      if (errnoOf(thrown) === 'EINVAL') return undefined;
      throw refusalOf(this.#named, thrown);
    }
  }

  #leadsOut(name: string): boolean {
    let depth = this.#trail.length;
    for (const next of [name, ...this.#pending.toReversed()]) {
      if (next === '..') depth -= 1;
      else if (next !== '.') depth += 1;
      if (depth < 0) return true;
    }
    return false;
  }
}
