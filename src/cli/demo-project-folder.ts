import { mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { benchFileName } from '../bench/load-bench.ts';
import { demoBenchFile, demoProjectId } from '../demo/demo-bench.ts';
import { demoProject } from '../demo/demo-project.ts';

const isUnchanged = (path: string, text: string): boolean => {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
};

/**
 * The directory of the demonstration's gateway project and bench, below the one that its daemon is started in:
 * the daemon opens no files elsewhere.
 */
export class DemoProjectFolder {
  readonly path: string;
  /** Where the project is, as the daemon is told. */
  readonly project: string;
  readonly #texts = new Map<string, string>();

  constructor(root: string, modbusPort: number) {
    try {
      this.path = mkdtempSync(join(root, 'busbar-demo-'));
      const project = join(this.path, `${demoProjectId}.gwproj`);
      this.project = relative(root, project);
      this.#write(project, demoProject());
      this.writeBench(modbusPort);
    } catch (cause) {
      throw new BusbarError('file_unavailable', {
        message: `The gateway project cannot be written in ${root}`,
        details: { file: root, reason: (cause as NodeJS.ErrnoException).code },
        cause,
      });
    }
  }

  /** Says anew where the Modbus server is to be. */
  writeBench(modbusPort: number): void {
    this.#write(join(this.path, benchFileName), demoBenchFile(modbusPort));
  }

  /** Leaves only what was added or edited meanwhile. */
  remove(): void {
    for (const [path, text] of this.#texts) if (isUnchanged(path, text)) rmSync(path);
    try {
      rmdirSync(this.path);
    } catch {
      // Others have moved it, or keep something there.
    }
  }

  #write(path: string, text: string): void {
    writeFileSync(path, text);
    this.#texts.set(path, text);
  }
}
