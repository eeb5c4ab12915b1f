import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * An overlay in memory over another tree, with a folder of the test in /mnt, and a network in
 * which every port is free.
 */
const setUp = `
set -e
ip link set lo up
mount -t tmpfs -o size=800m tmpfs "$0"
mkdir "$0/upper" "$0/work" "$0/root"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$0/upper,workdir=$0/work" "$0/root"
mount --rbind /dev "$0/root/dev"
mount --bind /proc "$0/root/proc"
mount --bind "$2" "$0/root/mnt"
echo ready
exec cat
`;

export class ThrowAwayRoot {
  readonly #holder: ChildProcess;
  readonly #folder: string;

  private constructor(holder: ChildProcess, folder: string) {
    this.#holder = holder;
    this.#folder = folder;
  }

  /** Over the tree `lower`, with `shared` in /mnt. Null if this system does not permit it. */
  static async open(folder: string, lower: string, shared: string): Promise<ThrowAwayRoot | null> {
    const holder = spawn(
      'unshare',
      ['--mount', '--net', '--propagation=private', 'sh', '-c', setUp, folder, lower, shared],
      { stdio: ['pipe', 'pipe', 'ignore'] },
    );
    const said = createInterface(holder.stdout as Readable)[Symbol.asyncIterator]();
    const { value } = await said.next();
    return value === 'ready' ? new ThrowAwayRoot(holder, folder) : null;
  }

  #enter(command: readonly string[]): string[] {
    const spaces = ['--target', String(this.#holder.pid), '--mount', '--net'];
    return [...spaces, 'chroot', `${this.#folder}/root`, ...command];
  }

  /** Output of a command of that system; all of it on failure. */
  run(...command: string[]): string {
    const { status, stdout, stderr } = spawnSync('nsenter', this.#enter(command), {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (status === 0) return stdout;
    throw new Error(`${command.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  }

  /** Starts a command that runs in parallel to the test. */
  start(...command: string[]): ChildProcess {
    return spawn('nsenter', this.#enter(command), {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: 'ignore',
    });
  }

  /** A script that runs a program of this machine in the network of that system. */
  programInItsNetwork(program: string): string {
    const file = `${this.#folder}-program`;
    const network = `/proc/${this.#holder.pid}/ns/net`;
    writeFileSync(file, `#!/bin/sh\nexec nsenter --net=${network} ${program} "$@"\n`, {
      mode: 0o755,
    });
    return file;
  }

  changed(): string[] {
    const list = ['--target', String(this.#holder.pid), '--mount'];
    const find = ['find', `${this.#folder}/upper`, '-not', '-type', 'd', '-printf', '/%P\n'];
    return execFileSync('nsenter', [...list, ...find], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  }

  /** All folders with this name. */
  folders(name: string): string[] {
    const list = ['--target', String(this.#holder.pid), '--mount'];
    const find = ['find', `${this.#folder}/upper`, '-type', 'd', '-name', name, '-printf', '/%P\n'];
    const found = execFileSync('nsenter', [...list, ...find], { encoding: 'utf8' });
    return found.split('\n').filter(Boolean);
  }

  /** The mounts end with the last process that sees them. */
  async close(): Promise<void> {
    const ended = once(this.#holder, 'exit');
    this.#holder.stdin?.end();
    await ended;
  }
}
