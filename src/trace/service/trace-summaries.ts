import { closeSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { TimeSlice } from '../../base/clock/time-slice.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { refusalOf } from '../../base/files/path-refusals.ts';
import type { OpenTrace } from '../trace-format.ts';
import type { TraceFileSummary } from '../trace-records.ts';
import { summarizeTrace } from '../trace-summary.ts';
import { FileBytes, openProjectTrace, traceField, traceRefusal } from './project-traces.ts';

export interface TraceSummariesOptions {
  readonly clock: Clock;
  readonly projectRoot: string;
  readonly openTrace: OpenTrace;
  readonly durationUs: number;
  readonly atOnce: number;
}

export class TraceSummaries {
  readonly #options: TraceSummariesOptions;
  #running = 0;

  constructor(options: TraceSummariesOptions) {
    this.#options = options;
  }

  async summarize(file: string): Promise<TraceFileSummary> {
    const { projectRoot, atOnce } = this.#options;
    if (this.#running >= atOnce) {
      throw new BusbarError('busy', {
        message: `${atOnce} traces are already being summarized`,
        details: { field: traceField, limit: atOnce },
      });
    }
    this.#running += 1;
    try {
      const { fd, path } = openProjectTrace(projectRoot, file);
      try {
        return await this.#read(file, new FileBytes(fd));
      } catch (thrown) {
        throw refusalOf({ path, field: traceField }, traceRefusal(file, thrown));
      } finally {
        closeSync(fd);
      }
    } finally {
      this.#running -= 1;
    }
  }

  async #read(file: string, bytes: FileBytes): Promise<TraceFileSummary> {
    const { clock, openTrace, durationUs } = this.#options;
    const turns = new TimeSlice(clock, durationUs);
    const reader = openTrace(bytes);
    const summary = await summarizeTrace(
      reader,
      () => turns.yield(),
      () => turns.isTimeUp,
    );
    return { file, size: bytes.size, bytes: reader.position, ...summary };
  }
}
