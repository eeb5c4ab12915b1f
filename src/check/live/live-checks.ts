import type { Check } from '../check.ts';
import type { CheckEntry } from '../check-file.ts';
import type { CheckEnvironment, CheckReport } from '../check-record.ts';
import { checkReport } from '../check-report.ts';
import { CheckRun } from '../check-run.ts';
import { atFile } from '../read-check-file.ts';
import { checksIn } from '../service/check-setup.ts';
import { hostRecord } from '../service/trace-check.ts';
import {
  checkLive,
  type LiveControl,
  type LiveSource,
  refuseFuture,
  startUs,
} from './live-events.ts';
import { channelEnvironment, chosenChannels, type LiveNames, liveSetup } from './live-setup.ts';

type DatabaseEntry = CheckEnvironment['databases'][number];

/** The file that a database was loaded from. */
export interface NamedFile extends Omit<DatabaseEntry, 'channel'> {
  readonly name: string;
}

interface LiveChecksOptions<Caller> {
  readonly source: LiveSource;
  readonly names: LiveNames<Caller>;
  readonly readCheckFile: (file: string) => Promise<Uint8Array>;
  readonly filesOf: (databases: readonly string[]) => Promise<readonly NamedFile[]>;
}

export interface LiveCheckRequest {
  /** Path of a check file. */
  readonly file?: string | undefined;
  /** Checks after those of the file. */
  readonly checks?: readonly CheckEntry[] | undefined;
  /** Selectors; all open channels without them. */
  readonly channels?: readonly string[] | undefined;
  /** Event id to begin after. */
  readonly after?: number | undefined;
  readonly seconds: number;
}

/** Whether a request is about open channels; with a trace it is refused, or about that. */
export const isLive = <Request extends { readonly seconds?: unknown; readonly trace?: unknown }>(
  request: Request,
): request is Request & { readonly seconds: number } =>
  request.seconds !== undefined && request.trace === undefined;

/** Errors about checks of a file get its path. */
const inFile = async <Result>(
  { file }: LiveCheckRequest,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (thrown) {
    throw atFile(file, thrown);
  }
};

/** Checks of open channels while events arrive, in the thread that has their databases. */
export class LiveChecks<Caller> {
  readonly #options: LiveChecksOptions<Caller>;

  constructor(options: LiveChecksOptions<Caller>) {
    this.#options = options;
  }

  /** Refuses what `run` would refuse before it begins. */
  async prepare(request: LiveCheckRequest, caller: Caller): Promise<void> {
    const checks = await this.#checksIn(request);
    await inFile(request, async () => {
      const { context, channels, keys } = await this.#setup(checks, request, caller);
      refuseFuture(this.#options.source, { channels, after: request.after ?? null });
      new CheckRun(checks, context).refuseAmbiguous(keys);
    });
  }

  async run(
    request: LiveCheckRequest,
    caller: Caller,
    control?: LiveControl,
  ): Promise<CheckReport> {
    const checks = await this.#checksIn(request);
    return inFile(request, async () => {
      const { source } = this.#options;
      const { seconds, after = null } = request;
      const { context, channels, databases } = await this.#setup(checks, request, caller);
      const files = await this.#files(databases);
      refuseFuture(source, { channels, after });
      const startUnixUs = startUs(source, { channels, after });
      const run = new CheckRun(checks, { ...context, startUnixUs, leavesAmbiguous: true });
      await checkLive(run, { channels, after, startUnixUs, seconds }, source, control);
      const environment: CheckEnvironment = {
        ...hostRecord(),
        trace: null,
        channels: channels.map(channelEnvironment),
        databases: files,
      };
      const extent = { source: 'live', startedAtUs: startUnixUs, environment } as const;
      return checkReport(run.results, run, extent);
    });
  }

  async #checksIn({ file, checks = [] }: LiveCheckRequest): Promise<readonly Check[]> {
    const bytes = file === undefined ? new Uint8Array() : await this.#options.readCheckFile(file);
    return checksIn({ file, checks }, () => bytes);
  }

  async #setup(checks: readonly Check[], { channels }: LiveCheckRequest, caller: Caller) {
    const { names } = this.#options;
    const chosen = await chosenChannels(channels, names, caller);
    return liveSetup(checks, chosen, names, caller);
  }

  async #files(databases: ReadonlyMap<string, readonly number[]>): Promise<DatabaseEntry[]> {
    const found = await this.#options.filesOf([...databases.keys()]);
    return found.flatMap(({ name, ...file }) =>
      (databases.get(name) ?? []).map((number) => ({ ...file, channel: String(number) })),
    );
  }
}
