import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPeer } from '../support/peers.ts';
import {
  busbar,
  eventually,
  repository,
  setUpWorkbench,
  type Workbench,
} from '../support/workbench.ts';

const python = '/usr/bin/python3';

/** Binds the socket of a service manager, and prints its messages as lines of JSON. */
const listener = `
import json, socket, sys
name = sys.argv[1]
sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
sock.bind("\\0" + name[1:] if name.startswith("@") else name)
print(json.dumps("bound"), flush=True)
while True:
    print(json.dumps(sock.recv(4096).decode()), flush=True)
`;

/** Sends a message to that socket. */
const speaker = `
import socket, sys
name = sys.argv[1]
sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
sock.sendto(b"MARK", "\\0" + name[1:] if name.startswith("@") else name)
`;

/** Messages of a daemon to its service manager. */
class NotifySocket {
  readonly messages: string[] = [];
  readonly #name: string;
  readonly #child: ChildProcessByStdio<null, Readable, null>;

  constructor(name: string) {
    this.#name = name;
    this.#child = spawn(python, ['-c', listener, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void this.#child.kill());
    createInterface(this.#child.stdout).on('line', (line) => this.messages.push(JSON.parse(line)));
  }

  /** Waits for all earlier messages: a socket delivers them in order. */
  async hasCaughtUp(): Promise<void> {
    spawnSync(python, ['-c', speaker, this.#name]);
    await eventually(() => this.messages.includes('MARK'));
  }

  count(message: string): number {
    return this.messages.filter((each) => each.split('\n').includes(message)).length;
  }
}

const startService = async (bench: Workbench, name: string, env: NodeJS.ProcessEnv = {}) => {
  const socket = new NotifySocket(name);
  await eventually(() => socket.messages.includes('bound'));
  const service = spawn(process.execPath, [busbar, 'daemon', 'start', '--foreground'], {
    cwd: bench.project,
    env: { ...bench.environment, NOTIFY_SOCKET: name, ...env },
    stdio: 'ignore',
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  return { socket, service };
};

describe.runIf(hasPeer(python, 'python3'))('a daemon of a service manager', () => {
  it('says that it is ready once it serves, that it reloads, and that it ends', async () => {
    const bench = setUpWorkbench();
    const { socket, service } = await startService(bench, join(bench.project, 'notify'));
    await eventually(() => socket.count('READY=1') > 0);
    // Not started by this command, so it is only used.
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'running' });
    expect(socket.count('WATCHDOG=1')).toBe(0);

    service.kill('SIGHUP');
    await eventually(() => socket.count('READY=1') > 1);
    const states = socket.messages.map((message) => message.split('\n')[0]);
    expect(states).toEqual(['bound', 'READY=1', 'RELOADING=1', 'READY=1']);
    expect(socket.messages[2]).toMatch(/\nMONOTONIC_USEC=\d+$/);

    service.kill('SIGTERM');
    await once(service, 'exit');
    await eventually(() => socket.count('STOPPING=1') > 0);
  });

  it('tells the watchdog that its deadlines are kept, and stops when they are not', async () => {
    const bench = setUpWorkbench();
    const { socket } = await startService(bench, `@busbar-test-${process.pid}`, {
      WATCHDOG_USEC: '300000',
    });
    await eventually(() => socket.count('WATCHDOG=1') > 3);
    const pid = bench.daemonPid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await socket.hasCaughtUp();
    const sent = socket.count('WATCHDOG=1');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(socket.count('WATCHDOG=1')).toBeLessThanOrEqual(sent + 1);
    process.kill(pid, 'SIGCONT');
    await eventually(() => socket.count('WATCHDOG=1') > sent + 1);
  });
});

const analyze = '/usr/bin/systemd-analyze';

const unit = join(repository, 'packaging', 'systemd', 'busbar.service');

describe('the devices of the unit for systemd', () => {
  it.each([
    ['ttyUSB', 'usbserial'],
    ['ttyACM', 'cdc_acm'],
  ])('have %s before the first adapter is plugged in', (group, driver) => {
    const lines = readFileSync(unit, 'utf8').split('\n');
    expect(lines).toContain(`DeviceAllow=char-${group} rw`);
    for (const setting of ['Wants', 'After']) {
      const named = lines.filter((line) => line.startsWith(`${setting}=`)).join(' ');
      expect(named).toContain(`modprobe@${driver}.service`);
    }
  });
});

describe.runIf(hasPeer(analyze, 'systemd'))('the unit for systemd', () => {
  it('exposes less than 3.0', () => {
    const { stdout } = spawnSync(analyze, ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    });
    const [, exposure] = /exposure level for busbar\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeGreaterThan(0);
    expect(Number(exposure)).toBeLessThan(3);
  });

  it('has nothing that systemd does not know', () => {
    const { stderr } = spawnSync(analyze, ['verify', '--man=no', unit], { encoding: 'utf8' });
    const found = stderr.split('\n').filter((line) => /busbar\.service/.test(line));
    // It is not installed here.
    expect(found.filter((line) => !line.includes('is not executable'))).toEqual([]);
  });
});
