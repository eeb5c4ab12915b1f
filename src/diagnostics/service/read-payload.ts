import { closeSync } from 'node:fs';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';
import { readAtMost } from '../../base/files/read-at-most.ts';

/** The bytes of a file of the project. */
export const readProjectBytes = (
  projectRoot: string,
  file: string,
  maxBytes: number,
  field = 'file',
): Uint8Array<ArrayBuffer> => {
  const root = ProjectRoot.open(projectRoot, { field });
  try {
    const { fd } = root.openForReading(file, { field });
    try {
      const bytes = readAtMost(fd, maxBytes);
      if (bytes.length > maxBytes) {
        throw invalidArgument(field, `${file} has more than ${maxBytes} bytes`, {
          reason: 'too_long',
          limit: maxBytes,
        });
      }
      if (bytes.length > 0) return new Uint8Array(bytes);
      throw invalidArgument(field, `${file} is empty`, { reason: 'empty' });
    } finally {
      closeSync(fd);
    }
  } finally {
    root.close();
  }
};
