import { fstatSync, readSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type OpenFile, ProjectRoot } from '../../base/files/project-root.ts';
import type { ByteSource } from '../trace-format.ts';

export const traceField = 'file';

export class FileBytes implements ByteSource {
  readonly size: number;
  readonly #fd: number;
  #position = 0;

  constructor(fd: number) {
    this.#fd = fd;
    this.size = fstatSync(fd).size;
  }

  read(into: Uint8Array): number {
    const bytes = readSync(this.#fd, into, 0, into.length, this.#position);
    this.#position += bytes;
    return bytes;
  }
}

export const openProjectTrace = (
  projectRoot: string,
  file: string,
  field = traceField,
): OpenFile => {
  const root = ProjectRoot.open(projectRoot, { field });
  try {
    return root.openForReading(file, { field });
  } finally {
    root.close();
  }
};

export const traceRefusal = (file: string, thrown: unknown, field = traceField): unknown => {
  const error = BusbarError.from(thrown);
  if (error.code !== 'invalid_trace') return thrown;
  return error.with({
    message: `${file}: ${error.message}`,
    details: { ...error.details, field, file },
  });
};
