import { openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { attempt, type NamedPath } from '../base/files/path-refusals.ts';
import { readAndClose } from '../base/files/read-at-most.ts';
import type { CheckEntry } from '../check/check-file.ts';
import type { CheckReport } from '../check/check-record.ts';
import { maxCheckFile, readCheckFile as parseCheckFile } from '../check/read-check-file.ts';
import { headline } from '../check/report/report-words.ts';
import { renderTextReport } from '../check/report/text-report.ts';
import { CheckPool, type EvaluationRpc } from '../check/service/check-pool.ts';
import {
  allChecks,
  type CheckSetup,
  checkSetup,
  refuseLiveFields,
  refuseTraceFields,
} from '../check/service/check-setup.ts';
import { TraceCheck } from '../check/service/trace-check.ts';
import type { DecoderThreads } from '../table/service/decoder-threads.ts';
import type { TraceProgress } from '../trace/trace-summary.ts';
import type { CliContext, Outcome } from './context.ts';
import { checkChannels, liveSeconds } from './live-checks.ts';
import { ReportFiles } from './report-files.ts';
import { startDecoders } from './start-decoders.ts';
import { atOption, databaseRequest, readerOfDatabases } from './trace-databases.ts';
import { TraceInput } from './trace-files.ts';
import { openInput, underBar, withInterruption } from './trace-work.ts';

type Values = Readonly<Record<string, unknown>>;

const readCheckFile = (path: string): Uint8Array =>
  attempt({ path, field: 'file' }, () => readAndClose(openSync(path, 'r'), maxCheckFile));

const checksOf = ({ check = [] }: Values): readonly CheckEntry[] =>
  (check as readonly string[]).map((text) => ({ check: text }));

const fieldOf = (index: number): string => `check[${index}]`;

const setupOf = (values: Values, context: CliContext): CheckSetup => {
  return checkSetup(
    {
      file: values.file as string | undefined,
      checks: checksOf(values),
      fieldOf,
      databases: ((values.database ?? []) as readonly string[]).map(databaseRequest),
      bitrates: (values.bitrate ?? []) as readonly string[],
    },
    { checkFile: readCheckFile, database: readerOfDatabases(context) },
  );
};

/** Files that a report must not replace. */
const inputsOf = (values: Values, { workingDirectory }: CliContext): readonly string[] => [
  ...[values.file, values.trace].filter((path) => typeof path === 'string'),
  ...((values.database ?? []) as readonly string[]).map((text) =>
    resolve(workingDirectory ?? '.', databaseRequest(text).file),
  ),
];

const checkHere = async (check: TraceCheck, progress: TraceProgress): Promise<CheckReport> => {
  const steps = check.run();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await progress(check.position);
  }
};

/** A thread takes longer to start than to check a small file. */
const smallBytes = 4 * 1024 * 1024;
const maxJobs = 4;

/** Threads besides the one that reads; none if it does all. */
const evaluatorsFor = (jobs: unknown, { size }: TraceInput, { checks }: CheckSetup): number => {
  if (size === null || size < smallBytes) return 0;
  const wanted = (jobs as number | undefined) ?? Math.min(maxJobs, availableParallelism());
  return Math.min(wanted - 1, checks.length);
};

const checkTrace = async (values: Values, context: CliContext): Promise<CheckReport> => {
  const named: Required<NamedPath> = { path: values.trace as string, field: 'trace' };
  const setup = setupOf(values, context);
  const input = new TraceInput(named);
  let threads: DecoderThreads<EvaluationRpc> | undefined;
  try {
    return await withInterruption(async (refuseInterrupted) => {
      const reader = openInput(input, named);
      const check = new TraceCheck({ file: named.path, source: input, reader, setup });
      const evaluators = evaluatorsFor(values.jobs, input, setup);
      if (evaluators > 0) threads = startDecoders<EvaluationRpc>(evaluators, context);
      const pool = threads && new CheckPool(threads, setup, check.startUnixUs);
      const run = (progress: TraceProgress): Promise<CheckReport> =>
        pool ? check.runIn(pool, progress) : checkHere(check, progress);
      const report = await underBar(input, context, run, refuseInterrupted);
      // The program that writes the pipe may have been interrupted as well.
      await pause(context.clock, 0);
      refuseInterrupted();
      return report;
    });
  } catch (thrown) {
    throw atOption(thrown);
  } finally {
    await threads?.close();
    input.close();
  }
};

/** Exit 0 only if all checks passed, or were not observed where that is allowed. */
const failureOf = (report: CheckReport, allowUnobserved: boolean): BusbarError | undefined => {
  const { verdict, passed, failed, not_observed } = report;
  if (verdict === 'passed' || (verdict === 'not_observed' && allowUnobserved)) return undefined;
  return new BusbarError(verdict === 'failed' ? 'checks_failed' : 'checks_not_observed', {
    message: headline(report),
    details: { passed, failed, not_observed },
  });
};

/** Writes reports of checks that `check` carries out, and prints one. */
const reportChecks = async (
  values: Values,
  context: CliContext,
  check: () => Promise<CheckReport>,
): Promise<Outcome> => {
  const paths = (values.report ?? []) as readonly string[];
  const files = new ReportFiles(paths, inputsOf(values, context));
  try {
    const report = await check();
    files.write(report);
    return {
      result: report,
      text: renderTextReport(report, context.palette),
      failure: failureOf(report, values.allow_unobserved === true),
    };
  } finally {
    files.discard();
  }
};

const checkLive = (values: Values, context: CliContext): Promise<CheckReport> => {
  const file = values.file as string | undefined;
  const own = file === undefined ? [] : parseCheckFile(file, readCheckFile(file)).checks;
  const more = checksOf(values);
  allChecks({ file, checks: more, fieldOf }, own);
  const channels = values.channel as readonly string[] | undefined;
  const seconds = liveSeconds(values.for as string);
  return checkChannels({ file, own, more, seconds, channels }, context);
};

export const checkRun = (values: Values, context: CliContext): Promise<Outcome> => {
  if (values.for !== undefined && values.trace === undefined) {
    refuseTraceFields(values, ['database', 'bitrate', 'jobs']);
    return reportChecks(values, context, () => checkLive(values, context));
  }
  refuseLiveFields(values, ['for', 'channel']);
  return reportChecks(values, context, () => checkTrace(values, context));
};
