import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { standardPython } from './can-programs.ts';

/**
 * Attaches a terminal to the kernel as a serial CAN adapter, and simulates that adapter: reads
 * everything immediately, because the kernel waits for it, and writes the requested lines.
 */
const adapter = `
import fcntl, os, select, sys, tty
device, terminal = os.openpty()
tty.setraw(terminal)
fcntl.ioctl(terminal, 0x5423, (17).to_bytes(4, sys.byteorder))
name = fcntl.ioctl(terminal, 0x8910, bytes(16)).split(b'\\0')[0].decode()
print(name, flush=True)
while True:
    ready, _, _ = select.select([0, device], [], [])
    if device in ready:
        os.read(device, 4096)
    if 0 in ready:
        said = os.read(0, 4096)
        if not said:
            sys.exit()
        os.write(device, said)
`;

/** A controller of the kernel that can be made to fail: slcan on a terminal. */
export class KernelSlcan {
  readonly name: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;

  private constructor(name: string, process: ChildProcessByStdio<Writable, Readable, null>) {
    this.name = name;
    this.#process = process;
  }

  static async create(): Promise<KernelSlcan> {
    const child = spawn(...standardPython(adapter), { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout);
    const [name] = (await once(lines, 'line')) as [string];
    return new KernelSlcan(name, child);
  }

  /** Makes the adapter send a line, such as `sb000255` for bus off. */
  say(line: string): void {
    this.#process.stdin.write(`${line}\r`);
  }

  /** Makes it read nothing for a while, so that the queue of its interface fills. */
  hold(): void {
    this.#process.kill('SIGSTOP');
  }

  goOn(): void {
    this.#process.kill('SIGCONT');
  }

  /** Unplugs it: its interface disappears. */
  async remove(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.stdin.end();
    await exited;
  }
}
