import { statSync } from 'node:fs';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { CheckReport } from '../check/check-record.ts';
import { reportRenderer } from '../check/report/render-report.ts';
import { TraceOutput } from './trace-files.ts';

const field = 'report';

const isSameFile = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
};

/**
 * Reports in temporary files next to their targets. What cannot be written is refused before the
 * checks; the files appear together, after them.
 */
export class ReportFiles {
  readonly #outputs: { readonly file: TraceOutput; readonly render: (r: CheckReport) => string }[];

  constructor(paths: readonly string[], inputs: readonly string[]) {
    const renderers = paths.map((path) => reportRenderer(path, field));
    this.#outputs = [];
    try {
      paths.forEach((path, index) => {
        if (paths.indexOf(path) < index) {
          throw invalidArgument(field, `report is given twice: ${path}`, { path });
        }
        if (inputs.some((input) => isSameFile(input, path))) {
          throw invalidArgument(field, `report would replace an input: ${path}`, { path });
        }
        const file = new TraceOutput({ path, field }, null, true);
        this.#outputs.push({ file, render: renderers[index] as (r: CheckReport) => string });
      });
    } catch (thrown) {
      this.discard();
      throw thrown;
    }
  }

  write(report: CheckReport): void {
    for (const { file, render } of this.#outputs) file.write(Buffer.from(render(report)));
    for (const { file } of this.#outputs) file.finish();
  }

  discard(): void {
    for (const { file } of this.#outputs) file.discard();
  }
}
