import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceRecord } from '../../scripts/stamp.mjs';
import { repository } from '../support/workbench.ts';
import { installationStep } from './support/installation-guide.ts';

/**
 * Maximum size of the archive; it has 5.2 MB, of which native libraries are 1.3 MB and
 * documentation 0.6 MB.
 */
const maxArchiveBytes = 5_800_000;

/** Building, packing and installing may take minutes on a busy machine. */
const packingMs = 900_000;

/** The package folder of a bundled file; packages can be nested. */
const packageFolder = /(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

const npmEnvironment = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false' };

/** Packed as by `npm pack`, or null if the library of another platform cannot be fetched. */
const pack = (folder: string): string | null => {
  const { status, stderr } = spawnSync('npm', ['pack', '--pack-destination', folder], {
    cwd: repository,
    encoding: 'utf8',
  });
  const [name] = readdirSync(folder).filter((each) => each.endsWith('.tgz'));
  if (status === 0 && name) return join(folder, name);
  if (process.env.CI === 'true') throw new Error(stderr);
  console.log(`Skipped: the package cannot be made here: ${stderr.split('\n')[0]}`);
  return null;
};

describe('the package for npm', () => {
  let directory: string;
  let archive: string | null;
  let prefix: string;
  let installed: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-npm-'));
    chmodSync(directory, 0o755);
    prefix = join(directory, 'prefix');
    installed = join(prefix, 'lib', 'node_modules', 'busbar');
    archive = pack(directory);
    if (archive === null) return;
    execFileSync('npm', ['install', '-g', '--prefix', prefix, '--ignore-scripts', archive], {
      cwd: directory,
      env: npmEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    execFileSync('chmod', ['-R', 'a-w', prefix]);
  }, packingMs);
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', directory]);
    rmSync(directory, { recursive: true });
  });

  it('is as small as it was', (context) => {
    if (archive === null) return context.skip();
    expect(statSync(archive).size).toBeLessThan(maxArchiveBytes);
  });

  it('has what it promises, and needs no other package and no script', (context) => {
    if (archive === null) return context.skip();
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest.scripts).not.toHaveProperty('install');
    expect(manifest.scripts).not.toHaveProperty('postinstall');
    for (const path of [
      'bin/busbar',
      'LICENSE',
      'README.md',
      'dist/console/index.html',
      'dist/site/index.html',
      'dist/licences.txt',
      'dist/sbom.cdx.json',
      'dist/man/busbar.1',
      'dist/completions/busbar',
      'dist/completions/_busbar',
      'dist/completions/busbar.fish',
      'packaging/systemd/busbar.service',
      'packaging/https/nginx.conf',
      'packaging/https/Caddyfile',
      'packaging/https/make-certificate',
      'packaging/udev/60-busbar.rules',
      'plugin-sdk/busbar_plugin.h',
      'examples/heater.gwproj',
      'schemas/gwproj.schema.json',
      ...['linux_arm64', 'linux_x64', 'musl_arm64', 'musl_x64'].map(
        (platform) => `dist/koffi/build/koffi/${platform}/koffi.node`,
      ),
    ]) {
      expect(existsSync(join(installed, path)), path).toBe(true);
    }
    const all = readdirSync(installed, { recursive: true }).map(String);
    expect(all.filter((path) => /\.(code|map)$|\.test\./.test(path))).toEqual([]);
  });

  it('lists every package that is in it, with its licence', (context) => {
    if (archive === null) return context.skip();
    const licences = readFileSync(join(installed, 'dist', 'licences.txt'), 'utf8');
    const sbom = JSON.parse(readFileSync(join(installed, 'dist', 'sbom.cdx.json'), 'utf8'));
    const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    const names: string[] = sbom.components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['ws', 'koffi', 'pako', 'typebox', 'preact', 'uplot']),
    );
    const locked = Object.entries<{ version: string; integrity: string }>(lock.packages).map(
      ([folder, entry]) => ({ ...entry, folder, name: folder.replace(/^.*node_modules\//, '') }),
    );
    for (const { name, version, hashes } of sbom.components) {
      expect(licences).toContain(`${name} ${version} (`);
      const known = locked.filter((each) => each.name === name && each.version === version);
      const reported = `sha512-${Buffer.from(hashes[0].content, 'hex').toString('base64')}`;
      expect(known.map(({ integrity }) => integrity)).toContain(reported);
    }
    // The source maps of its programs, which it does not contain, name the origin of each piece
    // of code.
    const dist = join(repository, 'dist');
    const maps = readdirSync(dist).filter((file) => file.endsWith('.cjs.map'));
    const sources: string[] = maps.flatMap(
      (file) => JSON.parse(readFileSync(join(dist, file), 'utf8')).sources,
    );
    const from = new Set(sources.flatMap((source) => packageFolder.exec(source)?.[1] ?? []));
    expect(from).toContain('node_modules/ws');
    for (const folder of from) {
      const { name, version } = locked.find((each) => each.folder === folder) ?? {};
      expect(sbom.components).toContainEqual(expect.objectContaining({ name, version }));
    }
  });

  it('runs from a prefix that is read-only, in any directory, as any user', async (context) => {
    if (archive === null) return context.skip();
    const place = join(directory, 'place');
    mkdirSync(place);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chmodSync(place, 0o777);
    // Nothing of the machine except Node itself.
    const node = join(directory, 'node');
    cpSync(process.execPath, node);
    const busbar = (...args: string[]): string => {
      const command = [node, join(prefix, 'bin', 'busbar'), ...args];
      const [program = '', ...rest] = isRoot
        ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', ...command]
        : command;
      return execFileSync(program, rest, {
        cwd: place,
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', BUSBAR_HOME: join(place, 'home') },
      });
    };
    // The step of the guide, with another prefix.
    expect(installationStep('npm install -g').split('\n')).toEqual([
      `npm install -g ./${basename(archive)}`,
      'busbar version',
    ]);
    expect(JSON.parse(busbar('version', '--format=json'))).toMatchObject({
      version: '0.1.0',
      ...(await sourceRecord()),
    });
    const { listen } = JSON.parse(busbar('web', 'start', '--listen=127.0.0.1:0', '--format=json'));
    try {
      expect(await (await fetch(`http://${listen}/`)).text()).toContain('<html');
      const health = await fetch(`http://${listen}/api/v1/health`);
      expect(health.status).toBe(200);
      busbar('channel', 'open', 'SIM00001/0');
      busbar('message', 'send', 'SIM00001/0', '123#DEADBEEF');
    } finally {
      busbar('daemon', 'stop');
    }
  });
});
