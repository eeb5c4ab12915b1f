import { createHash } from 'node:crypto';
import { arch, release, type } from 'node:os';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { product } from '../../base/product.ts';
import { termsOf } from '../../condition/condition.ts';
import { conditionError } from '../../condition/scanner.ts';
import { channelOfKey, channelText } from '../../trace/channel-key.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { ByteSource, TraceReader } from '../../trace/trace-format.ts';
import { eventsPerBatch } from '../../trace/trace-summary.ts';
import type { Check } from '../check.ts';
import { conditionsOf } from '../check.ts';
import type { CheckEnvironment, CheckReport } from '../check-record.ts';
import { checkReport } from '../check-report.ts';
import { inFile } from '../read-check-file.ts';
import type { CheckPool } from './check-pool.ts';
import type { CheckSetup } from './check-setup.ts';
import {
  type ChannelNames,
  type Evaluated,
  isNamed,
  ratesFor,
  TraceEvaluation,
} from './trace-evaluation.ts';

interface TraceCheckOptions {
  readonly file: string;
  readonly source: ByteSource;
  readonly reader: TraceReader;
  readonly setup: CheckSetup;
  /** Events that are read at a time. */
  readonly eventsPerPart?: number;
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

/** Channels after `on`, and where their names are. */
const channelsNamedBy = ({ on, rule }: Check): readonly { channel: string; at: number }[] => [
  ...(on === null ? [] : [on]),
  ...conditionsOf(rule)
    .flatMap(termsOf)
    .flatMap((term) => (term.on === null ? [] : [term.on])),
];

const noNames: ChannelNames = new Map();
/** Parts of the trace that threads have or wait for at a time. */
const partsInPool = 8;

/** Checks a trace from its beginning to its end. */
export class TraceCheck {
  readonly #options: TraceCheckOptions;
  readonly #evaluation: TraceEvaluation;

  /** Rejects checks with unknown names. */
  constructor(options: TraceCheckOptions) {
    const { setup, reader } = options;
    this.#options = options;
    this.#evaluation = new TraceEvaluation(setup, reader.startUnixUs);
  }

  get position(): number {
    return this.#options.reader.position;
  }

  get startUnixUs(): number | null {
    return this.#options.reader.startUnixUs;
  }

  /** Checks in this thread; yields after each part of the trace. */
  *run(): Generator<void, CheckReport> {
    const batch = new TraceBatch(this.#eventsPerPart);
    for (let hasMore = true; hasMore; ) {
      hasMore = this.#options.reader.read(batch);
      this.#evaluation.take(batch, this.#names);
      yield;
    }
    const evaluated = this.#evaluation.end(this.#options.reader.account.truncated);
    return yield* this.#report(evaluated);
  }

  /** Checks in threads while this one reads; `onPart` is awaited after each part. */
  async runIn(pool: CheckPool, onPart: (position: number) => unknown): Promise<CheckReport> {
    const pending: { readonly taken: Promise<void>; readonly batch: TraceBatch }[] = [];
    for (let hasMore = true; hasMore; ) {
      const free = pending.length < partsInPool ? undefined : pending.shift();
      await free?.taken;
      const batch = free?.batch ?? TraceBatch.shared(this.#eventsPerPart);
      hasMore = this.#options.reader.read(batch);
      const { buffer: memory, count, gaps } = batch;
      const part = { memory, count, gaps: [...gaps], names: [...this.#names] };
      const taken = pool.take(part);
      taken.catch(() => undefined);
      pending.push({ taken, batch });
      await onPart(this.position);
    }
    for (const { taken } of pending) await taken;
    const evaluated = await pool.end(this.#options.reader.account.truncated);
    const steps = this.#report(evaluated);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await onPart(this.position);
    }
  }

  get #eventsPerPart(): number {
    return this.#options.eventsPerPart ?? eventsPerBatch;
  }

  get #names(): ChannelNames {
    return this.#options.reader.channelNames ?? noNames;
  }

  *#report({ results, extent, channels }: Evaluated): Generator<void, CheckReport> {
    const { setup, reader } = this.#options;
    inFile(setup.file, () => this.#refuseAbsent(channels));
    const digest = yield* this.#digest();
    return checkReport(results, extent, {
      source: 'trace',
      startedAtUs: reader.startUnixUs,
      environment: this.#environment(channels, digest),
    });
  }

  /** Refuses channels that the trace does not have. */
  #refuseAbsent(keys: readonly number[]): void {
    const { setup } = this.#options;
    if (keys.length === 0) return;
    const isAbsent = (channel: string | null): channel is string =>
      !keys.some((key) => isNamed(channel, key, this.#names));
    const fileChannels = { file_channels: keys.map(channelText) };
    for (const check of setup.checks) {
      const absent = channelsNamedBy(check).find(({ channel }) => isAbsent(channel));
      if (absent === undefined) continue;
      const reason = this.#noSuchChannel(absent.channel, keys);
      const message = `expected a channel of the trace at offset ${absent.at}: ${reason}`;
      const expected = 'a channel of the trace';
      throw conditionError(check.field, absent.at, expected, message, fileChannels);
    }
    for (const field of ['databases', 'bitrate'] as const) {
      const named = field === 'databases' ? setup.databases : setup.rates;
      const absent = named.map(({ channel }) => channel).find(isAbsent);
      if (absent === undefined) continue;
      throw invalidArgument(field, `The trace has ${this.#noSuchChannel(absent, keys)}`, {
        reason: 'no_such_channel',
        channel: absent,
        ...fileChannels,
      });
    }
  }

  #noSuchChannel(channel: string, keys: readonly number[]): string {
    const known = keys.map((key) => {
      const name = this.#names.get(key);
      return name === undefined ? channelText(key) : `${channelText(key)} = ${name}`;
    });
    return `no channel ${channel}; available: ${known.join(', ')}`;
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

  #environment(keys: readonly number[], digest: string | null): CheckEnvironment {
    const { file, source, reader, setup } = this.#options;
    return {
      ...hostRecord(),
      trace: { file, format: reader.format, size: source.size, sha256: digest },
      channels: keys.map((key) => {
        const rates = ratesFor(setup, key, this.#names);
        return {
          ...channelOfKey(key),
          name: this.#names.get(key) ?? null,
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
