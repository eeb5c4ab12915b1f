import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDescriptors } from '../../testing/open-descriptors.ts';

/**
 * A temporary directory for tests, with a `project` inside the limits and an `outside` beyond
 * them.
 */
export class FileSandbox {
  readonly path = realpathSync.native(mkdtempSync(join(tmpdir(), 'busbar-files-')));
  readonly project = join(this.path, 'project');
  readonly outside = join(this.path, 'outside');

  constructor() {
    mkdirSync(this.project);
    mkdirSync(this.outside);
  }

  /** A sandbox with two files in its project and a secret next to it. */
  static filled(): FileSandbox {
    const sandbox = new FileSandbox();
    sandbox.write('project/a.txt', 'inside a');
    sandbox.write('project/sub/deep/b.txt', 'inside b');
    sandbox.write('outside/secret.txt', 'SECRET');
    return sandbox;
  }

  /** Paths are relative to the sandbox; directories are made as needed. */
  write(path: string, content: string | Uint8Array): string {
    const full = this.#prepared(path);
    writeFileSync(full, content);
    return full;
  }

  directory(path: string): string {
    const full = join(this.path, path);
    mkdirSync(full, { recursive: true });
    return full;
  }

  link(path: string, target: string): string {
    const full = this.#prepared(path);
    symlinkSync(target, full);
    return full;
  }

  /** Number of open descriptors of this process inside the sandbox. */
  heldDescriptors(): number {
    return openDescriptors().filter((target) => target.startsWith(this.path)).length;
  }

  dispose(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  #prepared(path: string): string {
    const full = join(this.path, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  }
}
