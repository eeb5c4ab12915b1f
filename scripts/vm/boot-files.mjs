// Kernel, modules and a shell for the machine, from Debian packages that are fetched once and
// cached. They are unpacked, never installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { cpioArchive } from './cpio.mjs';
import { apt } from './platform.mjs';
import { Unavailable } from './unavailable.mjs';

const cacheFolder = () =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'busbar', 'vm');

/** Changes with the content of the cache, so that older caches are ignored. */
const generation = 1;

const modulePaths = [
  'modules.builtin',
  'kernel/net/can',
  'kernel/drivers/net/can',
  'kernel/net/9p',
  'kernel/fs/9p',
  'kernel/fs/netfs',
  'kernel/fs/fscache',
  'kernel/fs/overlayfs',
  'kernel/drivers/virtio',
  'kernel/drivers/char/virtio_console.ko',
];
const isNeeded = (path) =>
  /\/vmlinuz[^/]*$/.test(path) ||
  modulePaths.some((part) => new RegExp(`/lib/modules/[^/]+/${part}`).test(path));

/** Packages with the kernel: one up to Debian 13, several since. */
const kernelPackages = (architecture) => {
  const { stdout } = spawnSync(
    'apt-cache',
    ['depends', '--recurse', '--important', `linux-image-${architecture}`],
    { encoding: 'utf8' },
  );
  const names = [...stdout.matchAll(/Depends: (linux-(?:base|binary|image|modules)-\d\S*)/g)];
  return [...new Set(names.map(([, name]) => name))];
};

const download = (architecture, folder) => {
  const packages = kernelPackages(architecture);
  if (packages.length === 0) return false;
  const names = [...packages, 'busybox-static'];
  const options = ['-qq', '-o', 'APT::Sandbox::User=root'];
  const { status } = spawnSync('apt-get', [...options, 'download', ...names], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
};

const unpack = async (file, folder, isWanted) => {
  const names = execFileSync('sh', ['-c', 'dpkg-deb --fsys-tarfile "$0" | tar -t', file], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const wanted = names.split('\n').filter((name) => !name.endsWith('/') && isWanted(name));
  if (wanted.length === 0) return;
  await writeFile(join(folder, 'wanted'), wanted.join('\n'));
  const extract = 'dpkg-deb --fsys-tarfile "$0" | tar -x -C "$1" -T "$1/wanted"';
  execFileSync('sh', ['-c', extract, file, folder]);
};

const filesBelow = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
};

const build = async (work, target) => {
  const tree = join(work, 'tree');
  await mkdir(tree);
  for (const name of (await readdir(work)).filter((file) => file.endsWith('.deb'))) {
    await unpack(join(work, name), tree, (path) =>
      name.startsWith('busybox') ? path.endsWith('/bin/busybox') : isNeeded(path),
    );
  }
  const files = await filesBelow(tree);
  const kernel = files.find((file) => /\/vmlinuz[^/]*$/.test(file));
  const busybox = files.find((file) => file.endsWith('/bin/busybox'));
  const release = files.map((file) => /\/lib\/modules\/([^/]+)\//.exec(file)?.[1]).find(Boolean);
  if (!kernel || !busybox || !release) throw new Unavailable('Debian has no kernel with SocketCAN');

  // Newer packages have modules below usr/, where modprobe of the guest does not search.
  const base = join(work, 'base', 'lib', 'modules');
  await mkdir(base, { recursive: true });
  const modules = files.find((file) => file.includes(`/lib/modules/${release}/`));
  const end = modules.indexOf(`/lib/modules/${release}/`) + `/lib/modules/${release}`.length;
  await rename(modules.slice(0, end), join(base, release));
  execFileSync(busybox, ['depmod', '-b', join(work, 'base'), release]);

  const root = join(work, 'base');
  const contents = await Promise.all(
    (await filesBelow(root)).map(async (file) => [
      file.slice(root.length + 1),
      await readFile(file),
    ]),
  );
  const empty = ['proc', 'sys', 'dev', 'host', 'memory', 'guest'];
  const shell = ['bin/busybox', await readFile(busybox), 0o755];
  await writeFile(join(work, 'base.cpio'), cpioArchive([...contents, shell], empty));
  await rename(kernel, join(work, 'vmlinuz'));
  for (const name of ['base', 'tree']) await rm(join(work, name), { recursive: true });
  for (const name of await readdir(work)) if (name.endsWith('.deb')) await rm(join(work, name));
  await rename(work, target).catch(async (error) => {
    // Another run was first; its files are the same.
    if (!existsSync(target)) throw error;
    await rm(work, { recursive: true });
  });
};

/** Folder with `vmlinuz` and `base.cpio`. */
export const bootFiles = async (platform) => {
  const target = join(cacheFolder(), `${platform.debian}-${generation}`);
  if (existsSync(target)) return target;
  await mkdir(cacheFolder(), { recursive: true });
  const work = await mkdtemp(join(cacheFolder(), `${basename(target)}.`));
  try {
    console.log('Fetching a kernel with SocketCAN from Debian…');
    const isFetched =
      download(platform.debian, work) ||
      (process.getuid?.() === 0 && apt('apt-get', 'update') && download(platform.debian, work));
    if (!isFetched) throw new Unavailable('the kernel for it could not be fetched with apt-get');
    await build(work, target);
    return target;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};
