// koffi as shipped: the loader and native libraries, so that an installation needs no other
// package, compiler or script. A build contains the library of its own platform; packages
// contain all.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './load-source.mjs';

/** The loader searches for libraries two folders above itself. */
const loader = 'koffi/src/koffi/index.cjs';

export const koffiFromDist = `./${loader}`;

/** Resolves koffi from the bundles in dist/ to the loader there. */
export const koffiInDist = {
  name: 'koffi-in-dist',
  setup({ onResolve }) {
    onResolve({ filter: /^koffi$/ }, () => ({ path: koffiFromDist, external: true }));
  },
};

/**
 * Entry of the loader bundle. The original would first search for installed packages of unknown
 * versions.
 */
export const koffiLoader = (folder) => ({
  entryPoints: ['node_modules/koffi/src/koffi/index.cjs'],
  outfile: join(folder, loader),
  plugins: [
    {
      name: 'own-libraries-only',
      setup({ onLoad }) {
        onLoad({ filter: /koffi\/src\/koffi\/src\/static\.cjs$/ }, () => ({
          contents: 'exports.loadStatic = () => null;',
        }));
      },
    },
  ],
});

const cpus = ['arm64', 'x64'];
const packageFor = (cpu) => `@koromix/koffi-linux-${cpu}`;

/**
 * Whether a package belongs into an archive for one processor: all except koffi's libraries for
 * others.
 */
export const isPackageFor = (name, cpu) =>
  !cpus.some((other) => other !== cpu && name === packageFor(other));

/**
 * Files appear complete, the glibc library last, because several packages may be built in
 * parallel.
 */
const copyFrom = async (packageFolder, koffiFolder) => {
  const entries = await readdir(packageFolder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort().reverse()) {
    const target = join(koffiFolder, 'build', 'koffi', name, 'koffi.node');
    const aside = `${target}.new-${process.pid}`;
    await mkdir(dirname(target), { recursive: true });
    await cp(join(packageFolder, name, 'koffi.node'), aside);
    await rename(aside, target);
  }
};

export const copyNativeLibraries = async (koffiFolder) => {
  for (const cpu of cpus) {
    const folder = join(root, 'node_modules', packageFor(cpu));
    if (existsSync(folder)) await copyFrom(folder, koffiFolder);
  }
};

const lockedPackage = async (name) => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${name}`];
};

/** Fetches a package for another platform, in the version of the lock file. */
const fetchInto = async (name, koffiFolder) => {
  const { version, integrity } = await lockedPackage(name);
  const directory = await mkdtemp(join(tmpdir(), 'busbar-koffi-'));
  try {
    execFileSync(
      'npm',
      ['pack', `${name}@${version}`, '--prefer-offline', '--pack-destination', directory],
      { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const [archive] = await readdir(directory);
    const content = await readFile(join(directory, archive));
    const found = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name} is not the package of the lock file`);
    execFileSync('tar', ['-xzf', archive], { cwd: directory });
    await copyFrom(join(directory, 'package'), koffiFolder);
  } finally {
    await rm(directory, { recursive: true });
  }
};

export const completeNativeLibraries = async (koffiFolder, wanted = cpus) => {
  for (const cpu of wanted) {
    const isThere = existsSync(join(koffiFolder, 'build', 'koffi', `linux_${cpu}`, 'koffi.node'));
    if (!isThere) await fetchInto(packageFor(cpu), koffiFolder);
  }
};
