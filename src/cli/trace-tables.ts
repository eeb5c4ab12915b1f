import { availableParallelism } from 'node:os';
import { pause } from '../base/clock/pause.ts';
import type { NamedPath } from '../base/files/path-refusals.ts';
import { type ChunkRpc, DecodePool } from '../table/service/decode-pool.ts';
import {
  checkDecodeRequest,
  checkSignalsRequest,
  type DecodeRequest,
  decodeSettingsOf,
  filterOf,
} from '../table/service/decode-request.ts';
import { TraceDecode } from '../table/service/decode-trace.ts';
import type { DecoderThreads } from '../table/service/decoder-threads.ts';
import { summarizeSignals } from '../table/service/summarize-signals.ts';
import { timeLimitsOf } from '../table/service/time-limit.ts';
import type { TraceDecoding } from '../table/table-records.ts';
import type { TraceProgress } from '../trace/trace-summary.ts';
import type { CliContext, Outcome } from './context.ts';
import { startDecoders } from './start-decoders.ts';
import { atOption, databaseRequest, readerOfDatabases } from './trace-databases.ts';
import { TraceInput, TraceOutput } from './trace-files.ts';
import { lossOf, openInput, underBar, withInterruption } from './trace-work.ts';

type Values = Readonly<Record<string, unknown>>;

const maxJobs = 8;
/** A thread takes longer to start than to decode a small file. */
const smallBytes = 4 * 1024 * 1024;

const requestOf = ({ database, ...values }: Values): DecodeRequest => ({
  ...(values as unknown as DecodeRequest),
  databases: (database as readonly string[]).map(databaseRequest),
});

const jobsFor = (jobs: unknown, { everyUs }: { everyUs: number | null }, input: TraceInput) => {
  // Each row depends on those before it.
  if (everyUs !== null) return 1;
  if (jobs !== undefined) return jobs as number;
  if (input.size !== null && input.size < smallBytes) return 1;
  return Math.min(maxJobs, availableParallelism());
};

const decodeHere = async (decode: TraceDecode, progress: TraceProgress): Promise<TraceDecoding> => {
  const steps = decode.run();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await progress(decode.position);
  }
};

const decodeInput = async (
  values: Values,
  input: TraceInput,
  named: Required<NamedPath>,
  context: CliContext,
): Promise<TraceDecoding> => {
  const request = requestOf(values);
  const format = checkDecodeRequest(request);
  const settings = decodeSettingsOf(request, format, readerOfDatabases(context));
  const reader = openInput(input, named);
  const { output: path } = request;
  return withInterruption(async (refuseInterrupted) => {
    const output = new TraceOutput({ path, field: 'output' }, input, values.overwrite === true);
    let threads: DecoderThreads<ChunkRpc> | undefined;
    try {
      const decode = new TraceDecode({
        file: named.path,
        output: path,
        reader,
        settings,
        filter: filterOf(request, settings),
        limits: timeLimitsOf(request.from, request.to),
        write: (bytes) => output.write(bytes),
      });
      const jobs = jobsFor(values.jobs, settings, input);
      // This thread decodes too.
      if (jobs > 1) threads = startDecoders<ChunkRpc>(jobs - 1, context);
      const pool = threads && new DecodePool(threads, settings);
      const run = (progress: TraceProgress): Promise<TraceDecoding> =>
        pool ? decode.runIn(pool, progress) : decodeHere(decode, progress);
      const result = await underBar(input, context, run, refuseInterrupted);
      // The program that writes the pipe may have been interrupted as well.
      await pause(context.clock, 0);
      refuseInterrupted();
      output.finish();
      return result;
    } finally {
      // Before the file that they write to is closed.
      await threads?.close();
      output.discard();
    }
  });
};

const withInput = async <T>(
  file: unknown,
  work: (input: TraceInput, named: Required<NamedPath>) => Promise<T>,
): Promise<T> => {
  const named = { path: file as string, field: 'file' };
  const input = new TraceInput(named);
  try {
    return await work(input, named);
  } catch (thrown) {
    throw atOption(thrown);
  } finally {
    input.close();
  }
};

export const traceDecode = (values: Values, context: CliContext): Promise<Outcome> =>
  withInput(values.file, async (input, named) => {
    const result = await decodeInput(values, input, named, context);
    return { result, failure: lossOf('file', named.path, result.output, result) };
  });

export const traceSignals = (values: Values, context: CliContext): Promise<Outcome> =>
  withInput(values.file, async (input, named) => {
    const request = requestOf({ ...values, output: '' });
    const limits = checkSignalsRequest(request);
    const settings = decodeSettingsOf(request, 'csv', readerOfDatabases(context));
    const filter = filterOf(request, settings);
    const reader = openInput(input, named);
    const result = await underBar(input, context, (progress) =>
      summarizeSignals({ file: named.path, reader, settings, filter, limits }, progress),
    );
    return { result };
  });
