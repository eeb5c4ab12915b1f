import { realpathSync } from 'node:fs';
import { parse, sep } from 'node:path';

/** A path taken apart. `anchor` is empty when the path is relative. */
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
 * The same absolute path with the links in its existing part resolved. Nothing behind a `..` is
 * looked at: else the answer would tell whether some directory outside exists.
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
export const namesFrom = (root: string, path: string): readonly string[] | undefined => {
  const given = namesOf(path);
  if (given.anchor === '') return given.names;
  const rootNames = namesOf(root);
  return below(rootNames, given) ?? below(rootNames, throughLinks(given));
};

export const isAbsoluteName = (path: string): boolean => namesOf(path).anchor !== '';
