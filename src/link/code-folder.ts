import { readFileSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Names what was built: what V8 made of another build must never be run in its place. */
export const buildIdFile = '.stamp';

/** Where `npm run build` puts what V8 made of the programs, beside the built files of a directory. */
const builtFolder = (distribution: string): string => join(distribution, '..', 'code');

/** What was built there, or undefined where that is not told: then no code is known to be of it. */
const buildId = (distribution: string): string | undefined => {
  try {
    return readFileSync(join(distribution, buildIdFile), 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * Where a user keeps it for an installation that came without, or null where there is no place. V8 looks
 * at nothing but the length of the source, so that the folder is of one build and one V8.
 */
export const cachedCodeFolder = (distribution: string, env: NodeJS.ProcessEnv): string | null => {
  const cache = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  // The daemon is elsewhere than the command that started it, and the XDG specification has relative paths ignored.
  if (!cache || !isAbsolute(cache)) return null;
  const build = buildId(distribution);
  if (build === undefined) return null;
  return join(cache, 'busbar', `${build.slice(0, 24)}-${process.versions.v8}-${process.arch}`);
};

const folderAt = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** Code of another user would be run as this one, for example by root with the home of a user. */
const isOurs = ({ uid, mode }: Stats): boolean =>
  uid === process.getuid?.() && (mode & 0o022) === 0;

/** The folder that has code for the built files of a directory, if there is one. */
export const findCodeFolder = (distribution: string, env: NodeJS.ProcessEnv): string | null => {
  const built = builtFolder(distribution);
  if (folderAt(built)) return built;
  const cached = cachedCodeFolder(distribution, env);
  if (cached === null) return null;
  const facts = folderAt(cached);
  return facts && isOurs(facts) ? cached : null;
};

/** What V8 made of a program, or undefined where that was never written down. */
export const readCode = (distribution: string, name: string): Buffer | undefined => {
  try {
    const folder = findCodeFolder(distribution, process.env);
    return folder === null ? undefined : readFileSync(join(folder, `${name}.code`));
  } catch {
    // It only saves time.
    return undefined;
  }
};
