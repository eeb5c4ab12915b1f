import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hasPeer } from '../../support/peers.ts';

const suite = 'trixie';
const mirror = 'http://deb.debian.org/debian';

/** Programs of a typical lab, and tools of the tests: not dependencies of the package. */
const include = ['nginx-light', 'openssl', 'curl', 'python3'];

/** Changes with the content of a root, so that older ones are not used. */
const generation = 1;

/** Downloaded but not installed: `apt` finds dependencies without a network. */
const fetchDependencies = [
  'chroot "$1" apt-get clean',
  'chroot "$1" apt-get install -y --download-only --no-install-recommends nodejs adduser',
].join(' && ');

const hasNetwork = (): boolean =>
  spawnSync('curl', ['-fsI', '--max-time', '20', `${mirror}/dists/${suite}/InRelease`]).status ===
  0;

const skip = (reason: string, isMissing: boolean): null => {
  if (isMissing && process.env.CI === 'true') throw new Error(reason);
  console.log(`Skipped: ${reason}`);
  return null;
};

/**
 * A small Debian with only the packages above, built once per user. Null, with a printed reason,
 * if it cannot be built.
 */
export const debianRoot = (): string | null => {
  if (process.getuid?.() !== 0) return skip('only root can make a Debian of its own', false);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'busbar', 'debian');
  const place = join(cache, `${suite}-${process.arch}-${generation}`);
  if (existsSync(place)) return place;
  if (!hasPeer('/usr/bin/mmdebstrap', 'mmdebstrap')) return null;
  if (!hasNetwork()) return skip(`${mirror} cannot be reached to make a Debian from`, false);
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, '.new-'));
  try {
    const { status, stderr } = spawnSync(
      'mmdebstrap',
      [
        ...['--quiet', '--mode=root', '--variant=apt', `--include=${include.join(',')}`],
        ...['--skip=cleanup/apt,cleanup/reproducible', `--customize-hook=${fetchDependencies}`],
        ...[suite, join(work, 'root'), mirror],
      ],
      { encoding: 'utf8' },
    );
    if (status !== 0) return skip(`mmdebstrap failed: ${stderr.trim().split('\n').at(-1)}`, true);
    renameSync(join(work, 'root'), place);
    return place;
  } finally {
    rmSync(work, { recursive: true });
  }
};
