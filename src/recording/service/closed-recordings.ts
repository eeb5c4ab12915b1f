import type { FileHandle } from 'node:fs/promises';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { compressMf4 } from '../../trace/mf4/compress-mf4.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { FileBytes } from '../../trace/service/project-traces.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { ByteSink } from '../../trace/trace-format.ts';
import { eventsPerBatch } from '../../trace/trace-summary.ts';
import { type Compress, type CountEvents, gzipFile } from '../compress-file.ts';
import { SeriesFolder } from '../series-folder.ts';

interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Collects what is to be written, so that the disk does not block. */
class PieceSink implements ByteSink {
  #size = 0;
  readonly #pieces: Piece[] = [];

  write(bytes: Uint8Array): void {
    this.rewrite(this.#size, bytes);
    this.#size += bytes.length;
  }

  rewrite(at: number, bytes: Uint8Array): void {
    this.#pieces.push({ at, bytes: bytes.slice() });
  }

  async writeTo(target: FileHandle): Promise<void> {
    for (const { at, bytes } of this.#pieces.splice(0)) await writeAll(target, bytes, at);
  }
}

const writeAll = async (target: FileHandle, bytes: Uint8Array, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await target.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
};

const compressInside: Compress = ({ projectRoot, folder, from, to }) =>
  SeriesFolder.use(projectRoot, folder, async (opened) => {
    const source = await opened.read(from);
    try {
      await opened.replace(to, async (target) => {
        const sink = new PieceSink();
        const turns = new YieldQueue();
        for (const _ of compressMf4(new FileBytes(source.fd), sink)) {
          await sink.writeTo(target);
          await turns.next();
        }
        await sink.writeTo(target);
      });
    } finally {
      await source.close();
    }
  });

/** MF4 files are compressed inside and keep their name; the others become gzip files. */
export const compressRecording: Compress = (job) =>
  job.to === job.from ? compressInside(job) : gzipFile(job);

export const countEvents: CountEvents = ({ projectRoot, folder, from }) =>
  SeriesFolder.use(projectRoot, folder, async (opened) => {
    const source = await opened.read(from);
    try {
      // A candump log has no header.
      if ((await source.stat()).size === 0) return 0;
      const reader = openTrace(new FileBytes(source.fd));
      const batch = new TraceBatch(eventsPerBatch);
      const turns = new YieldQueue();
      let events = 0;
      while (reader.read(batch)) {
        events += batch.count;
        await turns.next();
      }
      return events;
    } finally {
      await source.close();
    }
  });
