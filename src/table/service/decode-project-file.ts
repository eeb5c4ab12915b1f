import { closeSync } from 'node:fs';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { identityOf, isSameFile } from '../../base/files/file-identity.ts';
import { type OpenFile, ProjectRoot } from '../../base/files/project-root.ts';
import { readAndClose } from '../../base/files/read-at-most.ts';
import { dbcLimits } from '../../database/dbc/limits.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { FileBytes, traceRefusal } from '../../trace/service/project-traces.ts';
import type { TraceReader } from '../../trace/trace-format.ts';
import type { TraceDecoding } from '../table-records.ts';
import {
  checkDecodeRequest,
  type DecodeRequest,
  decodeSettingsOf,
  filterOf,
} from './decode-request.ts';
import { TraceDecode } from './decode-trace.ts';
import { timeLimitsOf } from './time-limit.ts';

export type ProjectDecodeRpc = {
  /** A number other than 0 in the shared cell cancels. */
  decodeProjectFile(
    projectRoot: string,
    request: ProjectDecodeRequest,
    cancel: Int32Array,
  ): TraceDecoding;
};

export interface ProjectDecodeRequest extends DecodeRequest {
  readonly overwrite?: boolean | undefined;
}

export const databaseBytes = (root: ProjectRoot, file: string): Uint8Array =>
  readAndClose(root.openForReading(file, { field: 'databases' }).fd, dbcLimits.fileBytes);

export const openTraceFile = (file: string, source: FileBytes, field = 'file'): TraceReader => {
  try {
    return openTrace(source);
  } catch (thrown) {
    throw traceRefusal(file, thrown, field);
  }
};

const refuseSameFile = (root: ProjectRoot, output: string, input: OpenFile): void => {
  let there: OpenFile;
  try {
    there = root.openForReading(output, { field: 'output' });
  } catch (thrown) {
    if (BusbarError.from(thrown).code === 'file_not_found') return;
    throw thrown;
  }
  const isSame = isSameFile(identityOf(there.fd), identityOf(input.fd));
  closeSync(there.fd);
  if (isSame) throw invalidArgument('output', 'Input and output are the same file');
};

/**
 * Decodes a trace of a project into a table there. Works in one go, so it needs a thread of its
 * own. The output appears when it is complete.
 */
export const decodeProjectFile: ProjectDecodeRpc['decodeProjectFile'] = (
  projectRoot,
  request,
  cancel,
) => {
  const { file, output, overwrite = false } = request;
  const format = checkDecodeRequest(request);
  const root = ProjectRoot.open(projectRoot);
  let input: OpenFile | undefined;
  try {
    input = root.openForReading(file, { field: 'file' });
    refuseSameFile(root, output, input);
    const settings = decodeSettingsOf(request, format, (name) => databaseBytes(root, name));
    const pending: Uint8Array[] = [];
    const decode = new TraceDecode({
      file,
      output,
      reader: openTraceFile(file, new FileBytes(input.fd)),
      settings,
      filter: filterOf(request, settings),
      limits: timeLimitsOf(request.from, request.to),
      write: (bytes) => pending.push(bytes.slice()),
    });
    let result: TraceDecoding | undefined;
    const pieces = function* (): Generator<Uint8Array> {
      const steps = decode.run();
      for (let step = steps.next(); ; step = steps.next()) {
        if (Atomics.load(cancel, 0) !== 0) throw new BusbarError('operation_cancelled');
        yield* pending.splice(0);
        if (!step.done) continue;
        result = step.value;
        return;
      }
    };
    root.replaceFile(output, pieces(), { field: 'output', overwrite });
    return result as unknown as TraceDecoding;
  } finally {
    if (input) closeSync(input.fd);
    root.close();
  }
};
