import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portsAreClosed } from '../serial-port.ts';

/** Two pseudo terminals connected by socat. */
export class PtyPair {
  readonly folder: string;
  readonly one: string;
  readonly other: string;
  readonly #socat: ChildProcess;

  private constructor(folder: string, socat: ChildProcess) {
    this.folder = folder;
    this.one = join(folder, 'one');
    this.other = join(folder, 'other');
    this.#socat = socat;
  }

  static async create(): Promise<PtyPair> {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-pty-'));
    const end = (name: string): string => `pty,raw,echo=0,link=${join(folder, name)}`;
    const socat = spawn('socat', ['-d', '-d', end('one'), end('other')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    while (!said.includes('starting data transfer')) {
      const [text] = await once(socat.stderr as NodeJS.ReadableStream, 'data');
      said += String(text);
    }
    return new PtyPair(folder, socat);
  }

  /** Disconnects both terminals. */
  async cut(): Promise<void> {
    if (this.#socat.exitCode !== null || this.#socat.signalCode !== null) return;
    this.#socat.kill('SIGKILL');
    await once(this.#socat, 'exit');
  }

  async remove(): Promise<void> {
    await this.cut();
    // The next count of descriptors must not include these.
    await portsAreClosed();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
