// koffi as it is shipped: its loader and the native libraries, so that an installation needs no other package,
// no compiler and no script. A build has the library of its own platform; packages have them all.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './load-source.mjs';

/** Where the loader looks for libraries from: two folders above it. */
const loader = 'koffi/src/koffi/index.cjs';

export const koffiFromDist = `./${loader}`;

/** Leads from the bundles in dist/ to the loader beside them. */
export const koffiInDist = {
  name: 'koffi-in-dist',
  setup({ onResolve }) {
    onResolve({ filter: /^koffi$/ }, () => ({ path: koffiFromDist, external: true }));
  },
};

/**
 * What the loader is bundled from. It would ask for packages that may be installed near by first, of which we
 * cannot know the version.
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

/** What packages are for. */
const cpus = ['arm64', 'x64'];
const packageFor = (cpu) => `@koromix/koffi-linux-${cpu}`;

/** Whether a package is in what is made for that processor alone: all are but koffi's libraries for others. */
export const isPackageFor = (name, cpu) =>
  !cpus.some((other) => other !== cpu && name === packageFor(other));

/** Each file is whole when it is there, and that for glibc comes last: packages may be made beside each other. */
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

/** Those that are installed: of this platform. */
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

/** Fetches a package for another platform, which is exactly the one of the lock file. */
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

/** Those of every platform that packages are for, or of some. */
export const completeNativeLibraries = async (koffiFolder, wanted = cpus) => {
  for (const cpu of wanted) {
    const isThere = existsSync(join(koffiFolder, 'build', 'koffi', `linux_${cpu}`, 'koffi.node'));
    if (!isThere) await fetchInto(packageFor(cpu), koffiFolder);
  }
};
