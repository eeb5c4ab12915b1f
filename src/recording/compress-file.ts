import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { RecordingFormat } from './recording-record.ts';
import { SeriesFolder } from './series-folder.ts';

/** Frames repeat, so the fastest levels are nearly as small as the others. */
const level = 4;

export interface CompressJob {
  readonly projectRoot: string;
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

export type Compress = (job: CompressJob) => Promise<void>;

/** Name of the compressed file; null if a format is never compressed as a whole. */
export const compressedName = (file: string, format: RecordingFormat): string | null => {
  if (format === 'asc' || format === 'candump') return `${file}.gz`;
  return format === 'blf' ? null : file;
};

export const gzipFile: Compress = ({ projectRoot, folder, from, to }) =>
  SeriesFolder.use(projectRoot, folder, async (opened) => {
    const source = await opened.read(from);
    try {
      await opened.replace(to, (target) =>
        pipeline(
          Readable.from(source.createReadStream({ autoClose: false })),
          createGzip({ level }),
          target.createWriteStream({ autoClose: false, flush: false }),
        ),
      );
    } finally {
      await source.close();
    }
  });
