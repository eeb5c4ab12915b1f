import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserProgram } from '../../scripts/peers.mjs';
import { sourceRecord } from '../../scripts/stamp.mjs';
import { isLong } from '../../src/base/testing/long.ts';
import { hasBrowser, launchBrowser, patienceMs } from '../support/browser.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually, repository } from '../support/workbench.ts';
import { debianRoot } from './support/debian-root.ts';
import {
  installationStep,
  installationSteps,
  placePrograms,
  placeSystemctl,
} from './support/installation-guide.ts';
import { ThrowAwayRoot } from './support/throw-away-root.ts';

const arch = process.arch === 'x64' ? 'amd64' : 'arm64';

const makePackages = (output: string, ...options: string[]): void => {
  const script = join(repository, 'scripts', 'package-deb.mjs');
  const common = [`--output=${output}`, '--compression=none'];
  execFileSync(process.execPath, [script, ...common, ...options], { stdio: 'pipe' });
};

const unit = readFileSync(join(repository, 'packaging', 'systemd', 'busbar.service'), 'utf8');

/** A Debian system is built once from downloaded packages; its steps are slow. */
const makingDebianMs = 900_000;

const path = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Values of the unit file, by the name of the line. */
const saysUnit = (key: string): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

/** Files that dpkg and others keep for any removed package. */
const ownNotes =
  /^\/(var\/lib\/(dpkg|apt|systemd|ucf)\/|var\/log\/|var\/cache\/(apt|man|debconf|ldconfig)\/|etc\/(passwd|group|shadow|gshadow|subuid|subgid)-?$|etc\/(\.pwd\.lock|ld\.so\.cache)$|run\/adduser$|tmp\/|root\/\.)/;

const isDebian = hasPeer('/usr/bin/dpkg-deb', 'dpkg');

describe.runIf(isDebian)('the Debian package', () => {
  let directory: string;
  let root: ThrowAwayRoot | null = null;
  let service: ChildProcess | undefined;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-debian-'));
    chmodSync(directory, 0o755);
    if (!isLong) return;
    makePackages(directory, `--arch=${arch}`, '--revision=1');
    makePackages(directory, `--arch=${arch}`, '--revision=2');
    const clean = debianRoot();
    if (clean === null) return;
    const client = join(repository, 'clients', 'python');
    cpSync(join(client, 'busbar'), join(directory, 'client', 'busbar'), { recursive: true });
    placePrograms(join(directory, 'programs'));
    placeSystemctl(join(directory, 'systemd'), '/mnt/systemctl.log');
    const overlay = `${directory}-root`;
    mkdirSync(overlay);
    root = await ThrowAwayRoot.open(overlay, clean, directory);
    if (root === null) console.log('Skipped: this system has no overlays');
  }, makingDebianMs);
  afterAll(async () => {
    service?.kill('SIGKILL');
    await root?.close();
    for (const place of [directory, `${directory}-root`, `${directory}-root-program`]) {
      rmSync(place, { recursive: true, force: true });
    }
  });

  /** A package as seen by the temporary root. */
  const file = (revision: number): string => `/mnt/busbar_0.1.0-${revision}_${arch}.deb`;

  /** As systemd does it: with the folders, user and environment of the unit. */
  const asService = (command: string): string[] => [
    ...['setpriv', '--reuid=busbar', '--regid=busbar', '--init-groups', '--no-new-privs'],
    ...['env', '-i', '-C', saysUnit('WorkingDirectory')[0] ?? '', 'PATH=/usr/bin:/bin'],
    ...saysUnit('Environment').flatMap((line) => line.split(' ')),
    ...command.split(' '),
  ];

  const startService = async (system: ThrowAwayRoot): Promise<void> => {
    for (const folder of ['/run/busbar', '/var/cache/busbar']) {
      system.run('install', '-d', '-m', '0700', '-o', 'busbar', '-g', 'busbar', folder);
    }
    const [start = ''] = saysUnit('ExecStart');
    service = system.start(...asService(start));
    await eventually(() => {
      try {
        const status = system.run(...asService('/usr/bin/busbar daemon status --format=json'));
        return JSON.parse(status).state === 'running';
      } catch {
        return false;
      }
    });
    for (const command of saysUnit('ExecStartPost')) system.run(...asService(command));
  };

  const stopService = async (): Promise<void> => {
    if (!service) return;
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    service = undefined;
  };

  const ask = (system: ThrowAwayRoot, path: string, ...options: string[]): string =>
    system.run(
      ...['curl', '--silent', '--show-error', '--cacert', '/etc/busbar/tls/certificate.pem'],
      ...['--write-out', '\n%{http_code}', ...options, `https://localhost${path}`],
    );

  /** Chromium is that of this machine, in the other network namespace. */
  const showsConsole = async (system: ThrowAwayRoot, token: string): Promise<void> => {
    if (!hasBrowser()) return;
    const executablePath = system.programInItsNetwork(browserProgram);
    const browser = await launchBrowser({ executablePath });
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      await page.goto('https://localhost/');
      const says = (text: string): Promise<void> =>
        page
          .locator('[data-testid="connection"]', { hasText: text })
          .waitFor({ timeout: patienceMs });
      await says('Token needed');
      await page.locator('#token').fill(token);
      await page.keyboard.press('Enter');
      await says('Live');
      await page.goto('https://localhost/docs/guides/installation.html');
      expect(await page.locator('h1').textContent()).toBe('Installation');
    } finally {
      await browser.close();
    }
  };

  /** The first script of the guide, with the service named as described after it. */
  const runPythonExample = (system: ThrowAwayRoot, token: string): void => {
    const guide = readFileSync(join(repository, 'docs', 'guides', 'python.md'), 'utf8');
    const [, script = '', shown = ''] =
      /```python\n([\s\S]*?)```\s*```text\n([\s\S]*?)```/.exec(guide) ?? [];
    const bench = `Bench("https://localhost/", "${token}", cafile="/etc/busbar/tls/certificate.pem")`;
    expect(script).toContain('Bench.local()');
    writeFileSync(join(directory, 'first.py'), script.replace('Bench.local()', bench));
    const reported = system.run('env', 'PYTHONPATH=/mnt/client', 'python3', '-B', '/mnt/first.py');
    expect(reported).toBe(shown);
  };

  const expectNothingLeft = (system: ThrowAwayRoot): void => {
    expect(system.run('getent', 'passwd').includes('busbar')).toBe(false);
    expect(system.run('getent', 'group').includes('busbar')).toBe(false);
    expect(system.folders('busbar')).toEqual([]);
    // Packages that other packages also need stay, such as `passwd`.
    const owned = new Set(system.run('sh', '-c', 'cat /var/lib/dpkg/info/*.list').split('\n'));
    const left = system
      .changed()
      .filter((path) => !ownNotes.test(path) && !/nginx/.test(path) && !owned.has(path));
    expect(left).toEqual([]);
  };

  it.runIf(isLong)(
    'is installed, serves over HTTPS, is upgraded while it runs, and leaves nothing',
    {
      timeout: makingDebianMs,
    },
    async (context) => {
      if (root === null) return context.skip();
      const system = root;
      const apt = (...args: string[]): string =>
        system.run('apt-get', '-y', '--no-install-recommends', ...args);

      apt('install', file(1));
      expect(system.run('id', '-nG', 'busbar').trim().split(' ').sort()).toEqual([
        'busbar',
        'dialout',
      ]);
      expect(system.run('stat', '-c', '%U:%G %a', '/etc/busbar/token')).toBe('root:busbar 640\n');
      const token = system.run('cat', '/etc/busbar/token').trim();
      expect(token).toMatch(/^[\w=-]{32}$/);
      expect(system.run('zcat', '/usr/share/man/man1/busbar.1.gz')).toContain('.SH NAME');
      expect(system.run('busbar', 'version')).toContain('0.1.0');
      expect(system.run('dpkg', '--verify', 'busbar')).toBe('');
      const shared = system.run('dpkg', '-L', 'busbar').split('\n');
      expect(shared).toEqual(
        expect.arrayContaining(
          [
            'plugin-sdk/busbar_plugin.h',
            'examples/heater.gwproj',
            'schemas/gwproj.schema.json',
          ].map((name) => `/usr/share/busbar/${name}`),
        ),
      );

      await startService(system);
      /** As a reader does it. */
      const follow = (words: string): string => {
        const command = installationStep(words).replace(
          'bench.lab 192.168.1.20',
          'localhost 127.0.0.1',
        );
        return system.run('env', `PATH=/mnt/programs:${path}`, 'sh', '-ec', command);
      };
      expect(JSON.parse(follow('sudo curl'))).toMatchObject({ status: 'ok' });
      expect(follow('busbar daemon status')).toContain('/run/busbar');
      expect(follow('make-certificate')).toMatch(/([0-9A-F]{2}:){31}[0-9A-F]{2}/);
      try {
        const bearer = ['--header', `Authorization: Bearer ${token}`];
        expect(ask(system, '/')).toMatch(/<html[\s\S]*\n200$/);
        expect(ask(system, '/api/v1/health')).toMatch(/"unauthorized"[\s\S]*\n401$/);
        expect(ask(system, '/api/v1/health', ...bearer)).toMatch(/\n200$/);
        expect(system.run('stat', '-c', '%U', '/run/busbar/busbar.sock')).toBe('busbar\n');
        await showsConsole(system, token);
        runPythonExample(system, token);

        apt('install', file(2));
        expect(system.run('dpkg', '-s', 'busbar')).toContain('\nVersion: 0.1.0-2\n');
        // The older one continues until the restart that systemd performs.
        expect(ask(system, '/api/v1/health', ...bearer)).toMatch(/\n200$/);
        await stopService();
        expect(ask(system, '/api/v1/health', ...bearer)).toMatch(/"web_not_running"[\s\S]*\n502$/);
        await startService(system);
        expect(ask(system, '/api/v1/health', ...bearer)).toMatch(/\n200$/);
        await stopService();
      } finally {
        system.run('nginx', '-s', 'quit');
        system.run('rm', '/etc/nginx/sites-enabled/busbar');
      }

      apt('remove', 'busbar');
      expect(system.run('cat', '/etc/busbar/token').trim()).toBe(token);
      apt('purge', 'busbar');
      apt('autoremove', '--purge');
      expectNothingLeft(system);
    },
  );

  it('does all that the guide to installation tells', () => {
    const elsewhere = /^(npm install -g|npm run package:deb|journalctl)/;
    expect(installationSteps().filter((line) => !elsewhere.test(line))).toEqual(
      ['sudo curl', 'busbar daemon status', 'make-certificate'].map(
        (words) => installationStep(words).split('\n')[0],
      ),
    );
  });

  it.runIf(isLong)(
    'brings a Node of its own where it was made with one, and keeps systemd up to date',
    {
      timeout: makingDebianMs,
    },
    async (context) => {
      if (root === null) return context.skip();
      const system = root;
      const licence = join(directory, 'node-licence');
      writeFileSync(licence, 'Node may be used so and so.');
      const runtime = [`--runtime=${process.execPath}`, `--runtime-licence=${licence}`];
      makePackages(directory, `--arch=${arch}`, '--revision=4', ...runtime);
      // Where apt's scripts search for programs.
      system.run('cp', '/mnt/systemd/systemctl', '/usr/bin/systemctl');
      system.run('mkdir', '-p', '/run/systemd/system');
      const log = join(directory, 'systemctl.log');
      /** Requests to systemd about the service. */
      const asked = (...args: string[]): string[] => {
        rmSync(log, { force: true });
        system.run('apt-get', '-y', ...args);
        const calls = readFileSync(log, 'utf8').matchAll(/\b(preset|start|restart|stop) busbar/g);
        return [...calls].map(([, verb = '']) => verb);
      };
      const isEnabled = (): boolean =>
        system
          .run('sh', '-c', 'ls /etc/systemd/system/multi-user.target.wants 2>/dev/null || true')
          .includes('busbar.service');
      expect(asked('--no-install-recommends', 'install', file(4))).toEqual(['preset', 'start']);
      expect(isEnabled()).toBe(true);
      const documents = '/usr/share/doc/busbar';
      expect(system.run('cat', `${documents}/licences.txt`)).toContain(
        'Node may be used so and so.',
      );
      const { components } = JSON.parse(system.run('cat', `${documents}/sbom.cdx.json`));
      const node = { name: 'node', version: process.versions.node };
      expect(components).toContainEqual(expect.objectContaining(node));
      expect(asked('install', '--reinstall', file(4))).toEqual(['restart']);
      expect(asked('remove', 'busbar')).toEqual(['stop']);
      expect(asked('install', file(4))).toEqual(['restart']);
      expect(isEnabled()).toBe(true);
      // A systemd that does not respond is no obstacle.
      system.run('ln', '-sf', '/bin/false', '/usr/bin/systemctl');
      for (const way of ['remove', 'install']) {
        system.run('apt-get', '-y', way, way === 'install' ? file(4) : 'busbar');
      }
      system.run('rm', '-r', '/run/systemd', '/usr/bin/systemctl');
      expect(system.run('sh', '-c', 'command -v node || echo none')).toBe('none\n');
      const busbar = (...args: string[]): string =>
        system.run('env', 'BUSBAR_HOME=/run/bench', 'HOME=/root', '/usr/bin/busbar', ...args);
      expect(JSON.parse(busbar('version', '--format=json'))).toMatchObject({
        version: '0.1.0',
        ...(await sourceRecord()),
      });
      expect(JSON.parse(busbar('daemon', 'start', '--format=json')).state).toBe('running');
      busbar('channel', 'open', 'SIM00001/0');
      busbar('daemon', 'stop');
      // Nor are processes of the service's user, who remains until they have ended.
      const asUser = 'setpriv --reuid=busbar --regid=busbar --clear-groups';
      const steps = [
        `${asUser} sleep 600 >/dev/null 2>&1 & apt-get -y purge busbar; purged=$?`,
        'kill $!; wait $!; deluser --quiet --system busbar && exit $purged',
      ];
      system.run('sh', '-c', steps.join('\n'));
      expect(system.run('sh', '-c', 'dpkg -s busbar 2>&1 || true')).toContain('not installed');
      system.run('apt-get', '-y', 'autoremove', '--purge');
      system.run('rm', '-rf', '/run/bench', '/root/.cache');
      expectNothingLeft(system);
    },
  );

  /**
   * The serial number of a bill of materials with the library of only that processor, like the
   * licences.
   */
  const billOf = (documents: string, cpu: string): string => {
    const licences = readFileSync(join(documents, 'licences.txt'), 'utf8');
    const sbom = readFileSync(join(documents, 'sbom.cdx.json'), 'utf8');
    const librariesIn = (text: string): Set<string> =>
      new Set(text.replaceAll('%40', '@').match(/@koromix\/koffi-[\w-]+/g));
    expect(librariesIn(licences)).toEqual(new Set([`@koromix/koffi-linux-${cpu}`]));
    expect(librariesIn(sbom)).toEqual(new Set([`@koromix/koffi-linux-${cpu}`]));
    const { components, dependencies, serialNumber } = JSON.parse(sbom);
    const refs: string[] = components.map((each: { 'bom-ref': string }) => each['bom-ref']);
    expect(dependencies[0].dependsOn).toEqual(refs);
    expect(dependencies.slice(1).map(({ ref }: { ref: string }) => ref)).toEqual(refs);
    for (const { name, version } of components) {
      expect(licences).toContain(`\n${name} ${version}: `);
      expect(licences).toContain(`\n${name} ${version} (`);
    }
    return serialNumber;
  };

  it('has the library of its own architecture alone, whichever it was made on', () => {
    makePackages(directory, '--arch=amd64', '--arch=arm64', '--revision=3');
    const serials = new Set<string>();
    for (const [debian, cpu, machine] of [
      ['amd64', 'x64', 0x3e],
      ['arm64', 'arm64', 0xb7],
    ] as const) {
      const made = join(directory, `busbar_0.1.0-3_${debian}.deb`);
      const field = (name: string): string =>
        execFileSync('dpkg-deb', ['-f', made, name], { encoding: 'utf8' }).trim();
      expect(field('Architecture')).toBe(debian);
      execFileSync('dpkg-deb', ['-x', made, join(directory, debian)]);
      const libraries = execFileSync('find', [join(directory, debian), '-name', '*.node'], {
        encoding: 'utf8',
      });
      const [library = '', ...others] = libraries.trimEnd().split('\n');
      expect(others).toEqual([]);
      expect(library).toContain(`linux_${cpu}/koffi.node`);
      // `e_machine` of its ELF header.
      expect(readFileSync(library).readUInt16LE(18)).toBe(machine);
      serials.add(billOf(join(directory, debian, 'usr/share/doc/busbar'), cpu));
    }
    // Two bills are two documents.
    expect(serials.size).toBe(2);
  });
});
