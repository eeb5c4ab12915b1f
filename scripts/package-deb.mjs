// npm run package:deb -- [--arch=amd64|arm64]… [--output=<folder>] [--revision=<number>]
//   [--runtime=<node>] [--runtime-licence=<file>] [--compression=xz|gzip|none]
// Builds Debian packages with dpkg-deb. `--runtime` includes a Node for that architecture, for Debian releases whose
// Node is too old; its licence comes from its archive or from --runtime-licence.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { selectLicences, selectSbom } from './bundled-packages.mjs';
import { listRuntime, readRuntime } from './bundled-runtime.mjs';
import { completeNativeLibraries, isPackageFor } from './koffi.mjs';
import { root } from './load-source.mjs';
import { run } from './ready.mjs';
import { isCurrent, sourceRecord, sourceStamp, stampFile, writeSourceRecord } from './stamp.mjs';

const { values } = parseArgs({
  options: {
    arch: { type: 'string', multiple: true, default: ['amd64', 'arm64'] },
    output: { type: 'string', default: '.' },
    revision: { type: 'string', default: '1' },
    runtime: { type: 'string' },
    'runtime-licence': { type: 'string' },
    compression: { type: 'string', default: 'xz' },
  },
});

/** Debian architectures as Node and koffi name them. */
const cpuOf = { amd64: 'x64', arm64: 'arm64' };

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const version = `${manifest.version}-${values.revision}`;

/** Time of the commit, for reproducible packages. */
const epoch = async () => {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH);
  return ((await sourceRecord()).committed_at_us ?? 0) / 1_000_000;
};

const gzip = (content) => gzipSync(content, { level: 9 });

/** Copies the files of a package from the repository. */
const copyFiles = async (stage, cpu) => {
  const copy = (from, to, filter) =>
    cp(join(root, from), join(stage, to), { recursive: true, filter });
  const isOfCpu = (path) => {
    const platform = /koffi\/build\/koffi\/(\w+)/.exec(relative(root, path))?.[1];
    return !path.endsWith('.map') && (platform === undefined || platform === `linux_${cpu}`);
  };
  await copy('bin', 'usr/lib/busbar/bin');
  await copy('dist', 'usr/lib/busbar/dist', isOfCpu);
  for (const folder of ['man', 'completions', 'licences.txt', 'sbom.cdx.json']) {
    await rm(join(stage, 'usr/lib/busbar/dist', folder), { recursive: true });
  }
  await copy('packaging/deb/busbar', 'usr/bin/busbar');
  await copy('packaging/https', 'usr/share/busbar/packaging/https');
  await copy('plugin-sdk', 'usr/share/busbar/plugin-sdk');
  await copy('examples', 'usr/share/busbar/examples');
  await copy('schemas', 'usr/share/busbar/schemas');
  await copy('packaging/systemd/busbar.service', 'usr/lib/systemd/system/busbar.service');
  await copy('packaging/udev/60-busbar.rules', 'usr/lib/udev/rules.d/60-busbar.rules');
  await copy('dist/completions/busbar', 'usr/share/bash-completion/completions/busbar');
  await copy('dist/completions/_busbar', 'usr/share/zsh/vendor-completions/_busbar');
  await copy('dist/completions/busbar.fish', 'usr/share/fish/vendor_completions.d/busbar.fish');
  const write = async (path, content) => {
    await mkdir(dirname(join(stage, path)), { recursive: true });
    await writeFile(join(stage, path), content);
  };
  // A build lists the libraries of all processors; the package contains those of one.
  for (const [name, select] of [
    ['licences.txt', selectLicences],
    ['sbom.cdx.json', selectSbom],
  ]) {
    const all = await readFile(join(root, 'dist', name), 'utf8');
    const isInside = (bundled) => isPackageFor(bundled, cpu);
    await write(`usr/share/doc/busbar/${name}`, select(all, isInside));
  }
  const page = await readFile(join(root, 'dist/man/busbar.1'));
  await write('usr/share/man/man1/busbar.1.gz', gzip(page));
  const changes = await readFile(join(root, 'CHANGELOG.md'));
  await write('usr/share/doc/busbar/changelog.gz', gzip(changes));
  const licence = await readFile(join(root, 'LICENSE'), 'utf8');
  await write(
    'usr/share/doc/busbar/copyright',
    `Busbar is distributed under the Apache License 2.0, which follows.\nWhat others wrote of it is listed in licences.txt.\n\n${licence}`,
  );
  if (values.runtime !== undefined) {
    const runtime = await readRuntime(values.runtime, cpu, values['runtime-licence']);
    await listRuntime(join(stage, 'usr/share/doc/busbar'), runtime);
    await cp(resolve(values.runtime), join(stage, 'usr/lib/busbar/runtime/node'));
    await chmod(join(stage, 'usr/lib/busbar/runtime/node'), 0o755);
  }
};

const entriesBelow = async (folder) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).map((entry) => ({
    path: join(entry.parentPath ?? entry.path, entry.name),
    isFile: entry.isFile(),
  }));

/**
 * Sets the same owner and time for all files; everything is readable, programs are executable.
 */
const normalise = async (stage, seconds) => {
  const programs = /(\/bin\/busbar|\/make-certificate|\/runtime\/node|DEBIAN\/(post|pre)\w+)$/;
  for (const { path, isFile } of await entriesBelow(stage)) {
    await chmod(path, !isFile || programs.test(path) ? 0o755 : 0o644);
    await utimes(path, seconds, seconds);
  }
  await chmod(stage, 0o755);
  await utimes(stage, seconds, seconds);
};

const control = (arch, installedKilobytes) => `Package: busbar
Version: ${version}
Architecture: ${arch}
Maintainer: Busbar maintainers <maintainers@busbar.invalid>
Installed-Size: ${installedKilobytes}
Depends: adduser, ${values.runtime === undefined ? 'nodejs (>= 20.12~)' : 'libc6 (>= 2.28), libstdc++6'}
Recommends: nginx-light | nginx | caddy, openssl
Suggests: can-utils
Section: comm
Priority: optional
Description: ${manifest.description}
 The daemon owns the channels of a bench; commands, the HTTP API and a web
 console share it. The package contains a hardened service, profiles for
 HTTPS with nginx and Caddy, and udev rules for adapters.
`;

const writeControl = async (stage, arch) => {
  const files = [];
  let bytes = 0;
  for (const { path, isFile } of await entriesBelow(stage)) {
    if (!isFile) continue;
    const content = await readFile(path);
    bytes += content.length;
    const sum = createHash('md5').update(content).digest('hex');
    files.push(`${sum}  ${relative(stage, path)}`);
  }
  const folder = join(stage, 'DEBIAN');
  await mkdir(folder);
  await writeFile(join(folder, 'control'), control(arch, Math.ceil(bytes / 1024)));
  await writeFile(join(folder, 'md5sums'), `${files.sort().join('\n')}\n`);
  for (const script of ['postinst', 'prerm', 'postrm']) {
    await cp(join(root, 'packaging/deb', script), join(folder, script));
  }
};

const makePackage = async (arch) => {
  const cpu = cpuOf[arch];
  if (cpu === undefined) throw new Error(`No architecture that packages are for: ${arch}`);
  const stage = await mkdtemp(join(tmpdir(), 'busbar-deb-'));
  const file = resolve(values.output, `busbar_${version}_${arch}.deb`);
  try {
    await copyFiles(stage, cpu);
    await writeControl(stage, arch);
    const seconds = await epoch();
    await normalise(stage, seconds);
    const options = ['--root-owner-group', `-Z${values.compression}`];
    execFileSync('dpkg-deb', [...options, '--build', stage, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    await rm(stage, { recursive: true });
  }
  console.log(file);
};

if (!(await isCurrent(stampFile, sourceStamp))) run(process.execPath, ['scripts/build.mjs']);
await writeSourceRecord(join(root, 'dist'));
const cpus = values.arch.map((arch) => cpuOf[arch]).filter(Boolean);
await completeNativeLibraries(join(root, 'dist', 'koffi'), cpus);
for (const arch of values.arch) await makePackage(arch);
