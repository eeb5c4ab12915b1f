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

interface PathNames {
  readonly anchor: string;
  readonly names: readonly string[];
}

const separators = sep === '\\' ? /[\\/]/ : /\//;

/**
 * Path names are literal: no decoding, no case folding. `..` stays, because its meaning depends
 * on links. A trailing slash becomes a final `.`, which only a directory matches.
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
 * Resolves the links in the existing part of an absolute path. Names after a `..` are not
 * checked, because the result would reveal whether an outside directory exists.
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
 * Names to walk from `root` (a canonical absolute path) to reach `path`; undefined for an
 * absolute path elsewhere. An absolute path can reach the root through links. Only the walk
 * confines, so a link swapped at this point is harmless.
 */
const namesFrom = (root: string, path: string): readonly string[] | undefined => {
  const given = namesOf(path);
  if (given.anchor === '') return given.names;
  const rootNames = namesOf(root);
  return below(rootNames, given) ?? below(rootNames, throughLinks(given));
};

const isAbsoluteName = (path: string): boolean => namesOf(path).anchor !== '';

/** Result of a walk. Without a `pin` the entry is missing, but its directory exists. */
export interface Place {
  readonly path: string;
  readonly pin: EntryHandle | undefined;
  readonly directory: EntryHandle;
  readonly name: string;
}

interface Step {
  readonly name: string;
  readonly pin: EntryHandle;
}

const maxLinks = 40;

/**
 * Resolves a path one name at a time from the pinned root and follows links itself. No step can
 * go above the root, so nothing has to be checked afterwards. `..` returns to the directory
 * that the walk came from.
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
