import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { RecordingFormat } from './recording-record.ts';
import { SeriesFolder } from './series-folder.ts';

/** Frames repeat, so the fastest levels are nearly as small as the others. */
const level = 4;
const pieceBytes = 256 * 1024;

export interface CompressJob {
  readonly projectRoot: string;
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

export type Compress = (job: CompressJob) => Promise<void>;

/** Counts the events of a file that was not completed. */
export type CountEvents = (job: Omit<CompressJob, 'to'>) => Promise<number>;

export const gzipName = (file: string): string => `${file}.gz`;

/** Name of the compressed file; null if a format is never compressed as a whole. */
export const compressedName = (file: string, format: RecordingFormat): string | null => {
  if (format === 'asc' || format === 'candump') return gzipName(file);
  return format === 'blf' ? null : file;
};

async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

export const gzipFile: Compress = ({ projectRoot, folder, from, to }) =>
  SeriesFolder.use(projectRoot, folder, async (opened) => {
    const source = await opened.read(from);
    try {
      await opened.replace(to, (target) =>
        pipeline(piecesOf(source), createGzip({ level }), async (pieces) => {
          for await (const piece of pieces) await target.writeFile(piece);
        }),
      );
    } finally {
      await source.close();
    }
  });
