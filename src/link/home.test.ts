import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import { assertTrustedHome, locateHome, prepareHome } from './home.ts';

const directoryFor = (env: NodeJS.ProcessEnv): string => locateHome(env).directory;

describe('locateHome', () => {
  it('takes the directory it is told', () => {
    expect(directoryFor({ BUSBAR_HOME: '/srv/a', XDG_RUNTIME_DIR: '/run/user/1' })).toBe('/srv/a');
    expect(directoryFor({ BUSBAR_HOME: 'relative/../home' })).toBe(resolve('home'));
  });

  it('lies in the runtime directory of the user otherwise', () => {
    expect(directoryFor({ XDG_RUNTIME_DIR: '/run/user/1' })).toBe('/run/user/1/busbar');
    expect(directoryFor({ BUSBAR_HOME: '', XDG_RUNTIME_DIR: '/run/u' })).toBe('/run/u/busbar');
  });

  it('falls back to a directory of its own for each user', () => {
    expect(directoryFor({})).toBe(join(tmpdir(), `busbar-${process.getuid?.() ?? 'user'}`));
  });

  it('keeps everything inside, each thing under its own name', () => {
    const { directory, ...files } = locateHome({ BUSBAR_HOME: '/srv/a' });
    const paths = Object.values(files);
    expect(paths.every((path) => path.startsWith(`${directory}/`))).toBe(true);
    expect(new Set(paths).size).toBe(paths.length);
    expect(files.socket).toBe('/srv/a/busbar.sock');
  });
});

describe.runIf(process.platform !== 'win32')('prepareHome', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-home-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const prepare = (path: string): void => prepareHome(locateHome({ BUSBAR_HOME: path }));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  const refusalOf = (path: string, act = prepare): ErrorRecord => {
    try {
      act(path);
    } catch (thrown) {
      if (thrown instanceof BusbarError) return thrown.toRecord();
      throw thrown;
    }
    throw new Error(`${path} was accepted`);
  };

  it('creates the directory for its owner alone, with those above it', () => {
    const home = join(folder, 'a/b/home');
    prepare(home);
    expect(modeOf(home)).toBe(0o700);
  });

  it('takes a directory that is there, and what is in it', () => {
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'daemon.log'), 'old');
    prepare(home);
    expect(statSync(join(home, 'daemon.log')).size).toBe(3);
  });

  it.each([0o755, 0o770, 0o701, 0o777])('shuts others out of a directory of mode %o', (mode) => {
    const home = join(folder, 'home');
    mkdirSync(home);
    chmodSync(home, mode);
    prepare(home);
    expect(modeOf(home)).toBe(0o700);
  });

  it('refuses a link, whichever user put it there', () => {
    mkdirSync(join(folder, 'real'), { mode: 0o700 });
    symlinkSync(join(folder, 'real'), join(folder, 'home'));
    expect(refusalOf(join(folder, 'home'))).toMatchObject({
      code: 'daemon_start_failed',
      message: expect.stringContaining('not a directory'),
      details: { home: join(folder, 'home') },
    });
  });

  it('refuses a path that cannot become a directory', () => {
    writeFileSync(join(folder, 'file'), '');
    for (const path of ['file', 'file/below']) {
      expect(refusalOf(join(folder, path))).toMatchObject({
        code: 'daemon_start_failed',
        details: { home: join(folder, path) },
      });
    }
  });

  it.runIf(process.getuid?.() === 0)('refuses a directory of another user', () => {
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, 12_345, 12_345);
    expect(refusalOf(home)).toMatchObject({
      code: 'daemon_start_failed',
      message: expect.stringContaining('another user'),
    });
  });

  describe('assertTrustedHome', () => {
    const trust = (path: string): void => assertTrustedHome(locateHome({ BUSBAR_HOME: path }));
    const distrusted = { code: 'daemon_unreachable', details: { home: expect.any(String) } };

    it.each([0o700, 0o755, 0o711])('trusts a directory of our own of mode %o', (mode) => {
      const home = join(folder, 'home');
      mkdirSync(home);
      chmodSync(home, mode);
      expect(trust(home)).toBeUndefined();
    });

    it.each([0o770, 0o702, 0o777])('distrusts one of mode %o, which others write to', (mode) => {
      const home = join(folder, 'home');
      mkdirSync(home);
      chmodSync(home, mode);
      expect(refusalOf(home, trust)).toMatchObject(distrusted);
    });

    it('distrusts a link and a file', () => {
      symlinkSync(folder, join(folder, 'link'));
      writeFileSync(join(folder, 'file'), '');
      for (const name of ['link', 'file']) {
        expect(refusalOf(join(folder, name), trust)).toMatchObject(distrusted);
      }
    });

    it.runIf(process.getuid?.() === 0)('distrusts a directory of another user', () => {
      const home = join(folder, 'home');
      mkdirSync(home, { mode: 0o700 });
      chownSync(home, 12_345, 12_345);
      expect(refusalOf(home, trust)).toMatchObject(distrusted);
    });
  });

  it('refuses a path that its socket would not fit into, before it makes anything', () => {
    // 107 bytes are left for the whole path of the socket.
    const room = 107 - Buffer.byteLength(join(folder, '/busbar.sock'));
    prepare(join(folder, 'x'.repeat(room - 1)));
    const longer = join(folder, 'x'.repeat(room));
    expect(refusalOf(longer)).toMatchObject({
      code: 'daemon_start_failed',
      message: expect.stringContaining('too long'),
    });
    expect(statSync(longer, { throwIfNoEntry: false })).toBeUndefined();
    // Bytes count, not characters.
    expect(refusalOf(join(folder, 'ü'.repeat(room / 2 + 1))).message).toContain('too long');
  });
});
