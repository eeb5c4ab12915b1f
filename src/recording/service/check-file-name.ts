import { extname } from 'node:path';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { traceFiles, traceFormats } from '../../trace/trace-format.ts';

/** File names with another meaning, besides traces. */
const foreignFiles: Readonly<Record<string, string>> = {
  '.bz2': 'compressed file',
  '.csv': 'CSV table',
  '.gz': 'compressed file',
  '.mdf': 'MDF measurement',
  '.mf4': 'MDF measurement',
  '.pcap': 'packet capture',
  '.pcapng': 'packet capture',
  '.trc': 'TRC trace',
  '.xz': 'compressed file',
  '.zip': 'compressed file',
  '.zst': 'compressed file',
};

/** A misnamed file would only be noticed when it is needed. */
const refuseMisnamed = (file: string): void => {
  const ending = extname(file).toLowerCase();
  const trace = traceFormats.find((format) => traceFiles[format].ending === ending);
  if (trace === 'asc') return;
  const other = trace ? traceFiles[trace].title : foreignFiles[ending];
  if (other === undefined) return;
  throw invalidArgument('file', `${file} would be no ${other}: logging writes ASC`, {
    reason: 'other_format',
    path: file,
  });
};

/** Rejects a file named like another format, unless the format was given. */
export const checkFileName = ({
  file,
  isFormatGiven,
}: {
  readonly file: string;
  readonly isFormatGiven: boolean;
}): void => {
  if (!isFormatGiven) refuseMisnamed(file);
};
