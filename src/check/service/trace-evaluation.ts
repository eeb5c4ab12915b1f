import { databaseForConditions } from '../../condition/condition-context.ts';
import { isChannel } from '../../trace/channel-key.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { CheckResult } from '../check-record.ts';
import { type CheckContext, CheckRun } from '../check-run.ts';
import { inFile } from '../read-check-file.ts';
import type { BusRates } from '../rules/load-evaluator.ts';
import type { CheckSetup } from './check-setup.ts';

export type ChannelNames = ReadonlyMap<number, string>;

/** What an evaluation has found at the end. */
export interface Evaluated {
  readonly results: readonly CheckResult[];
  readonly extent: Pick<CheckRun, 'events' | 'gaps' | 'missed' | 'firstNs' | 'nowNs'>;
  /** Keys of the channels with events. */
  readonly channels: readonly number[];
}

/** Whether a channel has a name; null is a name of all channels. */
export const isNamed = (selector: string | null, key: number, names: ChannelNames): boolean =>
  selector === null || isChannel(selector, key, names.get(key) ?? null);

export const ratesFor = (
  { rates }: Pick<CheckSetup, 'rates'>,
  key: number,
  names: ChannelNames,
): BusRates | null =>
  rates.find(({ channel }) => channel !== null && isNamed(channel, key, names)) ??
  rates.find(({ channel }) => channel === null) ??
  null;

/** Checks over the events of a trace, in the thread that reads it or in another. */
export class TraceEvaluation {
  readonly #file: string | undefined;
  readonly #run: CheckRun;
  #names: ChannelNames = new Map();

  /** Rejects checks with unknown names. */
  constructor(setup: CheckSetup, startUnixUs: number | null) {
    this.#file = setup.file;
    const own = setup.databases.map(({ channel, database, record }) => ({
      channel,
      database: databaseForConditions(record.file, database),
    }));
    const context: CheckContext = {
      databases: own.map(({ database }) => database),
      databasesOf: (key) =>
        own.flatMap(({ channel, database }) =>
          isNamed(channel, key, this.#names) ? database : [],
        ),
      isChannel: (selector, key) => isNamed(selector, key, this.#names),
      ratesOf: (key) => ratesFor(setup, key, this.#names),
      startUnixUs,
    };
    this.#run = inFile(this.#file, () => new CheckRun(setup.checks, context));
  }

  /** Names are all that are known up to the end of the batch. */
  take(batch: TraceBatch, names: ChannelNames): void {
    this.#names = names;
    inFile(this.#file, () => this.#run.take(batch));
  }

  end(isTruncated: boolean): Evaluated {
    const run = this.#run;
    if (isTruncated) run.gap(null);
    inFile(this.#file, () => run.end());
    const { events, gaps, missed, firstNs, nowNs } = run;
    return {
      results: run.results,
      extent: { events, gaps, missed, firstNs, nowNs },
      channels: [...run.channels].sort((a, b) => a - b),
    };
  }
}
