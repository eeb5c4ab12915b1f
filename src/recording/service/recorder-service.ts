import { isAbsolute, relative, resolve } from 'node:path';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import { assertNameable, outside } from '../../base/files/path-refusals.ts';
import { nearest } from '../../base/suggest.ts';
import { recorderNameError } from '../../bench/recorder-entry.ts';
import { parseSelector } from '../../bench/selector.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import { FileList } from '../file-list.ts';
import { type RecorderEntry, type RecorderSettings, settingsOf } from '../recorder-settings.ts';
import { noRecorderStatus } from '../recording-record.ts';
import type { RecordedDatabase, RecordingRequest } from '../recording-request.ts';
import { NamedRecorder, type RecorderBench } from './named-recorder.ts';
import type {
  RecorderCounts,
  RecorderRecord,
  RecorderSource,
  RecorderSummary,
} from './recorder-record.ts';
import type { RecorderThreads } from './recorder-threads.ts';
import { type FindGatewayMessage, readsSignals, triggerRequest } from './trigger-request.ts';

export interface RecorderServiceOptions {
  readonly threads: RecorderThreads;
  readonly unixUs: () => number;
  readonly projectRoot: string;
  readonly capacity: number;
  /** Databases of these channels, or of all. */
  readonly databasesOf: (slots: readonly number[] | null) => Promise<readonly RecordedDatabase[]>;
  /** Omitted where there are no gateways. */
  readonly gatewayMessage?: FindGatewayMessage;
  readonly onFailed: (record: RecorderCounts) => void;
}

const listEnding = FileList.nameOf('');

const summaryOf = ({ files: _, ...summary }: RecorderRecord): RecorderSummary => summary;

/** Named recorders on the bench thread. Each can record at the same time as all others. */
export class RecorderService {
  readonly #options: RecorderServiceOptions;
  readonly #recorders = new Map<string, NamedRecorder>();
  /** Recorders of the bench file with settings that are not possible. */
  readonly #refused = new Map<string, RecorderCounts>();

  constructor(options: RecorderServiceOptions) {
    this.#options = options;
  }

  async list(): Promise<RecorderSummary[]> {
    const recorders = [...this.#recorders.values()];
    return (await Promise.all(recorders.map((recorder) => recorder.show()))).map(summaryOf);
  }

  /** The last reports, without asking the threads. */
  get latest(): RecorderCounts[] {
    const recorders = [...this.#recorders.values()].map(({ latest }) => latest);
    return [...recorders, ...this.#refused.values()];
  }

  async show(name: string): Promise<RecorderRecord> {
    return this.#find(name).show();
  }

  async add(name: string, entry: RecorderEntry, bench: RecorderBench): Promise<RecorderRecord> {
    return this.#add(name, this.#settings(entry), bench, 'request').show();
  }

  /** Adds the recorders of the bench file and starts them. One that cannot start has an error. */
  async addAll(entries: Readonly<Record<string, RecorderEntry>>, bench: RecorderBench) {
    for (const [name, entry] of Object.entries(entries)) this.#addOfBench(name, entry, bench);
    const added = [...this.#recorders.values()].filter(({ source }) => source === 'bench');
    await Promise.all(added.map((recorder) => recorder.keepStarted()));
  }

  async change(
    name: string,
    change: Partial<RecorderEntry>,
    bench: RecorderBench,
  ): Promise<RecorderRecord> {
    const recorder = this.#find(name);
    const settings = this.#settings(changed(recorder.settings, change));
    if (recorder.isActive) throw await recorder.activeError();
    recorder.change(settings, bench);
    return recorder.show();
  }

  async remove(name: string): Promise<RecorderRecord> {
    const recorder = this.#find(name);
    if (recorder.isActive) throw await recorder.activeError();
    this.#recorders.delete(name);
    return recorder.stop();
  }

  async start(name: string): Promise<RecorderRecord> {
    return this.#find(name).start();
  }

  async stop(name: string): Promise<RecorderRecord> {
    return this.#find(name).stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#recorders.values()].map((recorder) => recorder.stop()));
  }

  channelOpened(): void {
    for (const recorder of this.#recorders.values()) recorder.channelOpened();
  }

  async consumersOf(slot: number): Promise<readonly Consumer[]> {
    const recorders = [...this.#recorders.values()];
    const all = await Promise.all(recorders.map((recorder) => recorder.consumersOf(slot)));
    return all.flat();
  }

  #find(name: string): NamedRecorder {
    const recorder = this.#recorders.get(name);
    if (recorder) return recorder;
    const { error } = this.#refused.get(name) ?? {};
    if (error) {
      throw new BusbarError('recorder_not_found', {
        message: `The bench file has the recorder ${name}, which is refused: ${error.message}`,
        details: { field: 'name', name, reason: 'refused' },
        hint: 'Correct the bench file and restart the daemon, or add a recorder of this name.',
      });
    }
    throw new BusbarError('recorder_not_found', {
      message: `No such recorder: ${name}`,
      details: { field: 'name', name },
      hint: nearest(name, this.#recorders.keys()),
    });
  }

  #addOfBench(name: string, entry: RecorderEntry, bench: RecorderBench): void {
    try {
      this.#add(name, this.#settings(entry), bench, 'bench');
    } catch (thrown) {
      const error = BusbarError.from(thrown).toRecord();
      const report = {
        name,
        ...noRecorderStatus,
        state: 'failed',
        file: entry.file,
        error,
      } as const;
      this.#refused.set(name, report);
      this.#options.onFailed(report);
    }
  }

  #add(
    name: string,
    settings: RecorderSettings,
    bench: RecorderBench,
    source: RecorderSource,
  ): NamedRecorder {
    const error = recorderNameError(name);
    if (error) throw invalidArgument('name', `name ${error}`, { reason: 'name', name });
    if (this.#recorders.has(name)) {
      throw new BusbarError('already_exists', {
        message: `A recorder ${name} exists already`,
        details: { field: 'name', name },
      });
    }
    const { capacity, threads, unixUs, onFailed } = this.#options;
    if (this.#recorders.size >= capacity) {
      throw new BusbarError('capacity_exceeded', {
        message: `At most ${capacity} recorders can exist`,
        details: { limit: capacity },
      });
    }
    const recorder = new NamedRecorder(
      {
        name,
        source,
        threads,
        unixUs,
        requestOf: (own, from) => this.#requestOf(name, own, from),
        onFailed,
      },
      settings,
      bench,
    );
    this.#recorders.set(name, recorder);
    this.#refused.delete(name);
    return recorder;
  }

  #settings(entry: RecorderEntry): RecorderSettings {
    const settings = settingsOf(entry);
    for (const text of settings.channels ?? []) parseSelector(text, 'channels');
    const named = { path: settings.file, field: 'file' };
    assertNameable(named);
    if (settings.file.endsWith(listEnding)) {
      const message = `file must not end with ${listEnding}, as lists of files do`;
      throw invalidArgument('file', message, { reason: 'file_pattern', path: settings.file });
    }
    // The thread opens files inside the project only; this reports it before there is a file.
    if (leadsOutside(this.#options.projectRoot, settings.file)) throw outside(named);
    return settings;
  }

  async #requestOf(
    name: string,
    settings: RecorderSettings,
    bench: RecorderBench,
  ): Promise<RecordingRequest> {
    const { gatewayMessage = () => 'no gateway is known here' } = this.#options;
    const { channels, ...rest } = settings;
    const followed = channels
      ? await bench.follow(channels).catch((thrown: unknown) => {
          throw withField('channels', thrown);
        })
      : null;
    const slots = followed && [...new Set(followed.map(({ slot }) => slot))];
    const trigger =
      settings.trigger && (await triggerRequest(settings.trigger, bench, gatewayMessage));
    const { embed_databases } = settings;
    const needsDatabases = embed_databases || (settings.trigger && readsSignals(settings.trigger));
    const read = slots && [...new Set([...slots, ...(trigger?.slots ?? [])])];
    const databases = needsDatabases ? await this.#options.databasesOf(read) : [];
    return {
      ...rest,
      name,
      bench: await bench.name(),
      overwrite: false,
      slots,
      databases,
      trigger,
      replayed: [],
    };
  }
}

const leadsOutside = (projectRoot: string, file: string): boolean => {
  const path = relative(projectRoot, resolve(projectRoot, file));
  return isAbsolute(path) || /^\.\.(?:[\\/]|$)/.test(path);
};

/** A change of a file name also changes the format, unless the request has one. */
const changed = (
  { channels, format, split, keep, trigger, ...rest }: RecorderSettings,
  change: Partial<RecorderEntry>,
): RecorderEntry => ({
  ...rest,
  ...(channels && { channels }),
  ...(change.file === undefined && { format }),
  ...(split && { split }),
  ...(keep && { keep }),
  ...(trigger && { trigger }),
  ...change,
});
