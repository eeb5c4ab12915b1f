import { extname } from 'node:path';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { traceFiles, traceFormats } from '../../trace/trace-format.ts';

/** What files of these names are taken for, by people and by their tools, beside traces that we read. */
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

/** A file that is named like one of another format would be found not to be one when it is needed. */
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

/** Refuses a file that is named like one of another format, unless the caller said which one it has. */
export const checkFileName = ({
  file,
  isFormatGiven,
}: {
  readonly file: string;
  readonly isFormatGiven: boolean;
}): void => {
  if (!isFormatGiven) refuseMisnamed(file);
};
