import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPeer } from '../support/peers.ts';
import { eventually, repository } from '../support/workbench.ts';
import { ThrowAwayRoot } from './support/throw-away-root.ts';

const arch = process.arch === 'x64' ? 'amd64' : 'arm64';

/** Debian's own Node where it serves, else the one that runs this test goes into the package. */
const runtimeOptions = (): string[] => {
  try {
    const known = execFileSync('dpkg', ['-s', 'nodejs'], { encoding: 'utf8', stdio: 'pipe' });
    const [, version = ''] = /^Version: (.*)$/m.exec(known) ?? [];
    execFileSync('dpkg', ['--compare-versions', version, 'ge', '20.12~']);
    return [];
  } catch {
    return [`--runtime=${process.execPath}`];
  }
};

const makePackages = (output: string, ...options: string[]): void => {
  const script = join(repository, 'scripts', 'package-deb.mjs');
  const common = [`--output=${output}`, '--compression=none', ...runtimeOptions()];
  execFileSync(process.execPath, [script, ...common, ...options], { stdio: 'pipe' });
};

const unit = readFileSync(join(repository, 'packaging', 'systemd', 'busbar.service'), 'utf8');

/** What the unit says, once for each line of that name. */
const saysUnit = (key: string): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

/** What a package that was removed may leave behind: what dpkg and others note of any package. */
const ownNotes =
  /^\/(var\/lib\/(dpkg|apt|systemd|ucf)\/|var\/log\/|var\/cache\/(apt|man|debconf|ldconfig)\/|etc\/(passwd|group|shadow|gshadow|subuid|subgid)-?$|etc\/\.pwd\.lock$|run\/adduser$|tmp\/|root\/\.)/;

const isDebian = hasPeer('/usr/bin/dpkg-deb', 'dpkg') && hasPeer('/usr/sbin/adduser', 'adduser');

describe.runIf(isDebian && hasPeer('/usr/sbin/nginx', 'nginx-light'))('the Debian package', () => {
  let directory: string;
  let root: ThrowAwayRoot | null;
  let service: ChildProcess | undefined;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-debian-'));
    chmodSync(directory, 0o755);
    makePackages(directory, `--arch=${arch}`, '--revision=1');
    makePackages(directory, `--arch=${arch}`, '--revision=2');
    root = await ThrowAwayRoot.open(mkdtempSync(join(directory, 'root-')));
    if (root === null) console.log('Skipped: this user cannot make a throw-away root');
  });
  afterAll(async () => {
    service?.kill('SIGKILL');
    await root?.close();
    rmSync(directory, { recursive: true });
  });

  const file = (revision: number): string =>
    join(directory, `busbar_0.1.0-${revision}_${arch}.deb`);

  /** As systemd does it: with the folders, the user and the environment of the unit. */
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

  it('is installed, serves over HTTPS, is upgraded while it runs, and leaves nothing', async (context) => {
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
    expect(system.run('man', '-w', 'busbar')).toContain('/usr/share/man/man1/busbar.1.gz');
    expect(system.run('dpkg', '--verify', 'busbar')).toBe('');

    await startService(system);
    const https = '/usr/share/busbar/packaging/https';
    system.run(`${https}/make-certificate`, '/etc/busbar/tls', 'localhost', '127.0.0.1');
    system.run(
      'sh',
      '-c',
      `rm -f /etc/nginx/sites-enabled/* && cp ${https}/nginx.conf /etc/nginx/sites-enabled/busbar`,
    );
    system.run('nginx');
    try {
      const bearer = ['--header', `Authorization: Bearer ${token}`];
      expect(ask(system, '/')).toMatch(/<html[\s\S]*\n200$/);
      expect(ask(system, '/api/v1/health')).toMatch(/"unauthorized"[\s\S]*\n401$/);
      expect(ask(system, '/api/v1/health', ...bearer)).toMatch(/\n200$/);
      expect(system.run('stat', '-c', '%U', '/run/busbar/busbar.sock')).toBe('busbar\n');

      apt('install', file(2));
      expect(system.run('dpkg', '-s', 'busbar')).toContain('\nVersion: 0.1.0-2\n');
      // The older one goes on until it is started again, which is what systemd is told to do.
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
    expect(system.run('getent', 'passwd').includes('busbar')).toBe(false);
    expect(system.run('getent', 'group').includes('busbar')).toBe(false);
    expect(system.folders('busbar')).toEqual([]);
    const left = system.changed().filter((path) => !ownNotes.test(path) && !/nginx/.test(path));
    expect(left).toEqual([]);
  });

  it('has the library of its own architecture alone, whichever it was made on', () => {
    makePackages(directory, '--arch=amd64', '--arch=arm64', '--revision=3');
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
    }
  });
});
