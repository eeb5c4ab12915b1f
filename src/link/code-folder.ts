import { readFileSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Identifies a build. Compiled code of another build must not run. */
export const buildIdFile = '.stamp';

const builtFolder = (distribution: string): string => join(distribution, '..', 'code');

const buildId = (distribution: string): string | undefined => {
  try {
    return readFileSync(join(distribution, buildIdFile), 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * The user's cache of compiled code, or null. V8 checks only the source length, so a folder
 * belongs to one build and one V8 version.
 */
export const cachedCodeFolder = (distribution: string, env: NodeJS.ProcessEnv): string | null => {
  const cache = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  // The daemon has another working directory, and XDG ignores relative paths.
  if (!cache || !isAbsolute(cache)) return null;
  const build = buildId(distribution);
  if (build === undefined) return null;
  return join(cache, 'busbar', `${build.slice(0, 24)}-${process.versions.v8}-${process.arch}`);
};

const folderAt = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** Code of another user must not run, for example if root uses a user's home. */
const isOurs = ({ uid, mode }: Stats): boolean =>
  uid === process.getuid?.() && (mode & 0o022) === 0;

export const findCodeFolder = (distribution: string, env: NodeJS.ProcessEnv): string | null => {
  const built = builtFolder(distribution);
  if (folderAt(built)) return built;
  const cached = cachedCodeFolder(distribution, env);
  if (cached === null) return null;
  const facts = folderAt(cached);
  return facts && isOurs(facts) ? cached : null;
};

export const readCode = (distribution: string, name: string): Buffer | undefined => {
  try {
    const folder = findCodeFolder(distribution, process.env);
    return folder === null ? undefined : readFileSync(join(folder, `${name}.code`));
  } catch {
    return undefined;
  }
};
