import { createHash } from 'node:crypto';
import { arch, release, type } from 'node:os';
import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { product } from '../../base/product.ts';
import { termsOf } from '../../condition/condition.ts';
import { databaseForConditions } from '../../condition/condition-context.ts';
import { conditionError } from '../../condition/scanner.ts';
import { channelOfKey, channelText, isChannel } from '../../trace/channel-key.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { ByteSource, TraceReader } from '../../trace/trace-format.ts';
import { eventsPerBatch } from '../../trace/trace-summary.ts';
import type { Check } from '../check.ts';
import { conditionsOf } from '../check.ts';
import type { CheckEnvironment, CheckReport } from '../check-record.ts';
import { checkReport } from '../check-report.ts';
import { type CheckContext, CheckRun } from '../check-run.ts';
import { inFile } from '../read-check-file.ts';
import type { CheckSetup } from './check-setup.ts';

interface TraceCheckOptions {
  readonly file: string;
  readonly source: ByteSource;
  readonly reader: TraceReader;
  readonly setup: CheckSetup;
}

const hashedBytes = 1024 * 1024;

export const hostRecord = (): Pick<
  CheckEnvironment,
  'busbar_version' | 'node_version' | 'platform'
> => ({
  busbar_version: product.version,
  node_version: process.version,
  platform: `${type()} ${release()} ${arch()}`,
});

const contextOf = (
  { databases, rates }: CheckSetup,
  reader: Pick<TraceReader, 'startUnixUs' | 'channelNames'>,
): CheckContext => {
  const own = databases.map(({ channel, database, record }) => ({
    channel,
    database: databaseForConditions(record.file, database),
  }));
  const isOf = (selector: string | null, key: number): boolean =>
    selector === null || isChannel(selector, key, reader.channelNames?.get(key) ?? null);
  return {
    databases: own.map(({ database }) => database),
    databasesOf: (key) => own.flatMap((each) => (isOf(each.channel, key) ? each.database : [])),
    isChannel: isOf,
    ratesOf: (key) =>
      rates.find(({ channel }) => channel !== null && isOf(channel, key)) ??
      rates.find(({ channel }) => channel === null) ??
      null,
    startUnixUs: reader.startUnixUs,
  };
};

/** Channels after `on`, and where their names are. */
const channelsNamedBy = ({ on, rule }: Check): readonly { channel: string; at: number }[] => [
  ...(on === null ? [] : [on]),
  ...conditionsOf(rule)
    .flatMap(termsOf)
    .flatMap((term) => (term.on === null ? [] : [term.on])),
];

/** Checks a trace from its beginning to its end. */
export class TraceCheck {
  readonly #options: TraceCheckOptions;
  readonly #context: CheckContext;
  readonly #run: CheckRun;

  /** Rejects checks with unknown names. */
  constructor(options: TraceCheckOptions) {
    const { setup, reader } = options;
    this.#options = options;
    this.#context = contextOf(setup, reader);
    this.#run = this.#inFile(() => new CheckRun(setup.checks, this.#context));
  }

  get position(): number {
    return this.#options.reader.position;
  }

  /** Yields after each part of the trace. */
  *run(): Generator<void, CheckReport> {
    const { reader } = this.#options;
    const batch = new TraceBatch(eventsPerBatch);
    const { account } = reader;
    for (let isOver = false; !isOver; ) {
      const before = account.malformed;
      isOver = !reader.read(batch);
      const isDamaged = account.malformed > before;
      if (isDamaged) this.#run.gap(null);
      this.#inFile(() => this.#run.take(batch));
      if (isDamaged) this.#run.gap(null);
      yield;
    }
    if (account.truncated) this.#run.gap(null);
    this.#inFile(() => {
      this.#refuseAbsent();
      this.#run.end();
    });
    const digest = yield* this.#digest();
    return checkReport(this.#run.results, this.#run, {
      source: 'trace',
      startedAtUs: reader.startUnixUs,
      environment: this.#environment(digest),
    });
  }

  #inFile<Result>(work: () => Result): Result {
    return inFile(this.#options.setup.file, work);
  }

  /** Refuses channels that the trace does not have. */
  #refuseAbsent(): void {
    const { setup } = this.#options;
    const keys = this.#keys;
    if (keys.length === 0) return;
    const isAbsent = (channel: string | null): channel is string =>
      channel !== null && !keys.some((key) => this.#context.isChannel(channel, key));
    for (const check of setup.checks) {
      const absent = channelsNamedBy(check).find(({ channel }) => isAbsent(channel));
      if (absent === undefined) continue;
      const reason = this.#noSuchChannel(absent.channel);
      const message = `expected a channel of the trace at offset ${absent.at}: ${reason}`;
      const expected = 'a channel of the trace';
      throw conditionError(check.field, absent.at, expected, message, this.#fileChannels);
    }
    for (const field of ['databases', 'bitrate'] as const) {
      const named = field === 'databases' ? setup.databases : setup.rates;
      const absent = named.map(({ channel }) => channel).find(isAbsent);
      if (absent !== undefined && absent !== null) throw this.#absentFrom(field, absent);
    }
  }

  #absentFrom(field: string, channel: string): BusbarError {
    const message = `The trace has ${this.#noSuchChannel(channel)}`;
    return invalidArgument(field, message, {
      reason: 'no_such_channel',
      channel,
      ...this.#fileChannels,
    });
  }

  #noSuchChannel(channel: string): string {
    const names = this.#options.reader.channelNames;
    const known = this.#keys.map((key) => {
      const name = names?.get(key);
      return name === undefined ? channelText(key) : `${channelText(key)} = ${name}`;
    });
    return `no channel ${channel}; available: ${known.join(', ')}`;
  }

  /** Keys of the channels with events. */
  get #keys(): readonly number[] {
    return [...this.#run.channels].sort((a, b) => a - b);
  }

  get #fileChannels() {
    return { file_channels: this.#keys.map(channelText) };
  }

  *#digest(): Generator<void, string | null> {
    const { size, readAt } = this.#options.source;
    if (size === null || readAt === undefined) return null;
    const hash = createHash('sha256');
    const bytes = new Uint8Array(hashedBytes);
    for (let at = 0; ; ) {
      const length = this.#options.source.readAt?.(bytes, at) ?? 0;
      if (length === 0) return hash.digest('hex');
      hash.update(bytes.subarray(0, length));
      at += length;
      yield;
    }
  }

  #environment(digest: string | null): CheckEnvironment {
    const { file, source, reader, setup } = this.#options;
    return {
      ...hostRecord(),
      trace: { file, format: reader.format, size: source.size, sha256: digest },
      channels: this.#keys.map((key) => {
        const rates = this.#context.ratesOf(key);
        return {
          ...channelOfKey(key),
          name: reader.channelNames?.get(key) ?? null,
          selector: null,
          mode: null,
          bitrate: rates?.bitrate ?? null,
          data_bitrate: rates?.dataBitrate ?? null,
        };
      }),
      databases: setup.databases.map(({ record }) => record),
    };
  }
}
