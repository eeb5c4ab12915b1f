import { invalidArgument } from '../base/errors/busbar-error.ts';
import { identityAt, isSameFile } from '../base/files/file-identity.ts';
import type { CheckReport } from '../check/check-record.ts';
import { reportRenderer } from '../check/report/render-report.ts';
import { TraceOutput } from './trace-files.ts';

const field = 'report';

const isInput = (path: string, inputs: readonly string[]): boolean => {
  const report = identityAt(path);
  if (report === undefined) return false;
  return inputs.map(identityAt).some((input) => input !== undefined && isSameFile(input, report));
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
        if (isInput(path, inputs)) {
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
