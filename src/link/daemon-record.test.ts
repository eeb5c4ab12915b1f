import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  isRunning,
  recordedDaemon,
  signLock,
  startingDaemonTicks,
  startTicksOf,
  writeDaemonRecord,
} from './daemon-record.ts';
import { type Home, locateHome } from './home.ts';

const maxPid = 2 ** 22;

describe('isRunning', () => {
  it('holds for a process that runs', () => {
    expect(isRunning(process.pid)).toBe(true);
  });

  it('does not hold for one that never was', () => {
    expect(isRunning(maxPid + 1)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'does not hold for one that has ended but is not yet forgotten',
    async () => {
      // The shell replaces itself with a program that never waits for its child.
      const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec cat'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const [line] = await once(parent.stdout, 'data');
      const child = Number(String(line).trim());
      parent.stdin.write('replaced\n');
      await once(parent.stdout, 'data');
      process.kill(child, 'SIGKILL');
      const state = (): string => readFileSync(`/proc/${child}/stat`, 'latin1').split(' ')[2] ?? '';
      while (state() !== 'Z') await new Promise(setImmediate);
      expect(isRunning(child)).toBe(false);
      parent.stdin.end();
      await once(parent, 'exit');
    },
  );
});

describe('the record of a daemon', () => {
  const setUp = () => {
    const directory = mkdtempSync(join(tmpdir(), 'busbar-record-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    mkdirSync(join(directory, 'home'));
    return locateHome({ BUSBAR_HOME: join(directory, 'home') });
  };
  const record = {
    pid: process.pid,
    started_ticks: startTicksOf(process.pid),
    version: '1',
    started_at_us: 0,
    project_root: '/',
  };

  const sign = (home: Home): void => {
    const fd = openSync(home.lock, 'a');
    signLock(fd);
    closeSync(fd);
  };

  it.runIf(process.platform === 'linux')(
    'comes after the lock, whose holder starts until then',
    () => {
      const home = setUp();
      expect(startingDaemonTicks(home)).toBeNull();
      writeFileSync(home.lock, 'what an older daemon left there, and more than a signature');
      expect(startingDaemonTicks(home)).toBeNull();
      sign(home);
      expect(startingDaemonTicks(home)).toBeGreaterThan(0);
      writeDaemonRecord(home, record);
      expect(startingDaemonTicks(home)).toBeNull();
    },
  );

  it('does not take a lock for that of another process with the same number', () => {
    const home = setUp();
    writeFileSync(home.lock, JSON.stringify({ pid: process.pid, started_ticks: 1 }));
    expect(startingDaemonTicks(home)).toBeNull();
  });

  it('finds the process that wrote it', () => {
    const home = setUp();
    writeDaemonRecord(home, record);
    expect(recordedDaemon(home)).toBe(process.pid);
  });

  it.each([
    ['a process that has its number by chance', { started_ticks: 1 }],
    ['a process that is gone', { pid: maxPid + 1 }],
    ['no number', { pid: 'x' }],
    ['a number that means a group', { pid: -1 }],
  ])('does not find %s', (_, change) => {
    const home = setUp();
    writeFileSync(home.record, JSON.stringify({ ...record, ...change }));
    expect(recordedDaemon(home)).toBeNull();
  });

  it('finds nothing in a spoilt or missing file', () => {
    const home = setUp();
    expect(recordedDaemon(home)).toBeNull();
    writeFileSync(home.record, '{');
    expect(recordedDaemon(home)).toBeNull();
  });
});
