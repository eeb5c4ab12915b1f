import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const mark = 'busbar-guide-step';

/** How a step ended: its output, in the order it came, and the first command in it that failed. */
export interface StepOutcome {
  readonly output: string;
  readonly failed: string | null;
}

/** One bash for a whole guide, so that its variables and directories stay. */
export class GuideShell {
  readonly #directory: string;
  readonly #shell: ChildProcessByStdio<Writable, Readable, null>;
  #text = '';
  #wake = (): void => {};
  #count = 0;

  constructor(directory: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#directory = directory;
    this.#shell = spawn('/bin/bash', ['--norc', '--noprofile'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      // A process group of its own, so that a command that hangs ends with it.
      detached: true,
    });
    this.#shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    // What is refused has failed; a stream that is ended after a while has done what it was to do.
    this.#shell.stdin.write(`curl() { command curl --fail-with-body "$@" || [ $? -eq 28 ]; }\n`);
    this.#shell.stdin.write(
      `exec 2>&1; trap 'case $BASH_COMMAND in *"exit "*) ;; *) failed="\${failed:-$BASH_COMMAND}" ;; esac' ERR; status=0\n`,
    );
  }

  async run(command: string): Promise<StepOutcome> {
    const file = join(this.#directory, `step-${++this.#count}.sh`);
    writeFileSync(file, `(exit $status)\n${command}\n`);
    this.#shell.stdin.write(
      `failed=; . ${file} </dev/null; status=$?; printf '%s %s\\n%s\\n' '${mark}' "\${failed@Q}" '${mark}'\n`,
    );
    const end = `\n${mark}\n`;
    while (!this.#text.endsWith(end)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const from = this.#text.lastIndexOf(`${mark} `);
    const failed = this.#text.slice(from + mark.length + 1, -end.length);
    const output = this.#text.slice(0, from);
    this.#text = '';
    return { output, failed: failed === "''" ? null : failed };
  }

  close(): void {
    if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL');
  }
}
