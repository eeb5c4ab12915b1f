import { closeSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';
import { readAndClose } from '../../base/files/read-at-most.ts';
import type { CallControl } from '../../base/threads/rpc-port.ts';
import { databaseBytes, openTraceFile } from '../../table/service/decode-project-file.ts';
import { FileBytes } from '../../trace/service/project-traces.ts';
import type { CheckEntry } from '../check-file.ts';
import type { CheckReport } from '../check-record.ts';
import { maxCheckFile } from '../read-check-file.ts';
import { checkSetup } from './check-setup.ts';
import { TraceCheck } from './trace-check.ts';

export interface ProjectCheckRequest {
  readonly file?: string | undefined;
  readonly checks?: readonly CheckEntry[] | undefined;
  readonly trace: string;
  readonly databases?:
    | readonly { readonly file: string; readonly channel?: string | undefined }[]
    | undefined;
  readonly bitrate?: readonly string[] | undefined;
}

export interface ReadProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

export type ProjectCheckRpc = {
  /** A number other than 0 in the shared cell cancels. */
  checkProjectFile(
    projectRoot: string,
    request: ProjectCheckRequest,
    cancel: Int32Array,
    control?: CallControl,
  ): CheckReport;
};

/** Bytes between two reports of progress. */
const reportedBytes = 4 * 1024 * 1024;

/** Checks a trace of a project. Works in one go, so it needs a thread of its own. */
export const checkProjectFile: ProjectCheckRpc['checkProjectFile'] = (
  projectRoot,
  { file, checks = [], trace, databases = [], bitrate = [] },
  cancel,
  control,
) => {
  const root = ProjectRoot.open(projectRoot);
  try {
    const setup = checkSetup(
      { file, checks, databases, bitrates: bitrate },
      {
        checkFile: (path) =>
          readAndClose(root.openForReading(path, { field: 'file' }).fd, maxCheckFile),
        database: (path) => databaseBytes(root, path),
      },
    );
    const input = root.openForReading(trace, { field: 'trace' });
    try {
      const source = new FileBytes(input.fd);
      const reader = openTraceFile(trace, source, 'trace');
      const check = new TraceCheck({ file: trace, source, reader, setup });
      const steps = check.run();
      let nextBytes = 0;
      for (let step = steps.next(); ; step = steps.next()) {
        if (Atomics.load(cancel, 0) !== 0) throw new BusbarError('operation_cancelled');
        if (step.done) return step.value;
        const { position } = check;
        if (position < nextBytes) continue;
        nextBytes = position + reportedBytes;
        const bytes = Math.min(position, source.size);
        control?.report?.({ bytes, totalBytes: source.size } satisfies ReadProgress);
      }
    } finally {
      closeSync(input.fd);
    }
  } finally {
    root.close();
  }
};
