import { BusbarError } from '../../../src/base/errors/busbar-error.ts';
import { DatabaseStore } from '../../../src/database/database-store.ts';
import { openTrace } from '../../../src/trace/open-trace.ts';
import { TraceBatch } from '../../../src/trace/trace-batch.ts';
import type { TraceReader } from '../../../src/trace/trace-format.ts';
import { changedFile, type ErrorRecord } from '../api/api-error.ts';
import type { DatabaseContent } from '../api/client.ts';
import { IdentifierIndex } from '../trace-core/message-names.ts';
import { RowRequests } from '../trace-core/row-requests.ts';
import { BlobSource, type ReadBytes } from './blob-source.ts';
import type { FileAnswer, FileRequest, FileStatus } from './file-messages.ts';
import { FileRows } from './file-rows.ts';
import { SignalCollector } from './signal-reader.ts';
import { unzipped } from './unzipped.ts';

const eventsPerBatch = 4096;
/** Requests of the page wait no longer than this for the work on the file. */
const sliceMs = 25;
const statusMs = 100;
const windowMs = 100;

interface FileControllerOptions {
  readonly post: (answer: FileAnswer, transfer?: Transferable[]) => void;
  readonly bytesOf: (file: Blob) => ReadBytes;
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => void;
}

const emptyStatus = {
  name: '',
  bytes: 0,
  state: 'reading',
  error: null,
  readBytes: 0,
  format: null,
  hasDate: false,
} as const satisfies Partial<FileStatus>;

type SignalRequest = Extract<FileRequest, { type: 'signal' }>;

type OwnStatus = Pick<FileStatus, keyof typeof emptyStatus>;

const recordOf = (thrown: unknown): ErrorRecord => {
  const { code, message, retryable } = BusbarError.from(thrown);
  const isOfBrowser = code === 'internal_error' && thrown instanceof DOMException;
  return isOfBrowser ? changedFile : { code, message, retryable };
};

/** A signal that is read from one part of the file after another. */
class FileSignal {
  readonly collector: SignalCollector;
  readonly #rows: FileRows;
  readonly #slot: number;
  readonly #isMeant: (id: number, flags: number) => boolean;
  #chunk = 0;

  constructor(rows: FileRows, { slot, message, signal }: SignalRequest) {
    const index = new IdentifierIndex<true>();
    index.add([message], () => true);
    this.#isMeant = (id, flags) => index.find(id, flags) !== undefined;
    this.#rows = rows;
    this.#slot = slot;
    this.collector = new SignalCollector(message, signal, rows.countFrames(slot, this.#isMeant));
  }

  /** Returns false at the end. */
  readSome(): boolean {
    const { collector } = this;
    const hasMore = this.#rows.visitFrames(this.#chunk++, this.#slot, this.#isMeant, (...frame) =>
      collector.take(...frame),
    );
    collector.sumUp();
    return hasMore;
  }
}

/** Reads a file and answers requests about its rows, in a worker. */
export class FileController {
  readonly #options: FileControllerOptions;
  readonly #rows = new FileRows(() => void this.#work());
  readonly #requests: RowRequests;
  #reader: TraceReader | null = null;
  #ended: TraceReader | null = null;
  #isCut = false;
  readonly #batch = new TraceBatch(eventsPerBatch);
  #own: OwnStatus = emptyStatus;
  readonly #stop = new AbortController();
  #isWorking = false;
  #isFiltering = false;
  #statusAt = 0;
  readonly #wantedSignals: SignalRequest[] = [];
  #reading: FileSignal | null = null;

  constructor(options: FileControllerOptions) {
    this.#options = options;
    const { post, now, later } = options;
    this.#requests = new RowRequests({
      ...{ engine: this.#rows, post, stepMs: () => windowMs, now, later },
    });
  }

  take(asked: FileRequest): void {
    switch (asked.type) {
      case 'open':
        void this.#open(asked.name, asked.file);
        break;
      case 'database':
        void this.#readDatabase(asked.name, asked.file);
        break;
      case 'stop':
        this.#stop.abort();
        break;
      case 'signal':
        this.#wantedSignals.push(asked);
        void this.#work();
        break;
      default:
        this.#requests.take(asked);
    }
  }

  async #open(name: string, file: Blob): Promise<void> {
    this.#become({ name, bytes: file.size });
    const stopped = this.#stop.signal;
    try {
      const { plain, isCut } = await unzipped(file, stopped, (readBytes) =>
        this.#become({ readBytes }),
      );
      this.#isCut = isCut;
      this.#become({ bytes: plain.size, readBytes: 0 });
      if (stopped.aborted) this.#become({ state: 'stopped' });
      else this.#reader = openTrace(new BlobSource(plain.size, this.#options.bytesOf(plain)));
    } catch (thrown) {
      this.#become({ state: 'failed', error: recordOf(thrown) });
    }
    void this.#work();
  }

  /** Reads and filters in slices. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    const { now, later } = this.#options;
    for (let isBusy = true; isBusy; ) {
      isBusy = this.#workUntil(now() + sliceMs);
      this.#requests.notify();
      if (!isBusy || now() >= this.#statusAt + statusMs) this.#postStatus();
      if (isBusy) await new Promise<void>((done) => later(done, 0));
    }
    this.#isWorking = false;
  }

  /** Returns whether something is left to do. */
  #workUntil(end: number): boolean {
    const { now } = this.#options;
    while (this.#reader !== null && now() < end) this.#readSome(this.#reader);
    let isFiltering = true;
    do isFiltering = this.#rows.testSome();
    while (isFiltering && now() < end);
    this.#isFiltering = isFiltering;
    // Signals and changes since a mark are those of the whole file.
    const isRead = this.#reader === null;
    while (isRead && this.#wantedSignals.length > 0 && now() < end) this.#readSignal();
    while (isRead && this.#rows.isMarking && now() < end) this.#rows.markSome();
    return isFiltering || !isRead || this.#wantedSignals.length > 0 || this.#rows.isMarking;
  }

  #readSome(reader: TraceReader): void {
    const rows = this.#rows;
    try {
      const isStopped = this.#stop.signal.aborted;
      const hasMore = !isStopped && reader.read(this.#batch);
      const { startUnixUs, position: readBytes, format } = reader;
      if (rows.total === 0) rows.startUs = startUnixUs ?? 0;
      this.#own = { ...this.#own, readBytes, format, hasDate: startUnixUs !== null };
      // Errors at the end of the file are gaps of a batch without events.
      if (!isStopped) rows.take(this.#batch);
      if (!hasMore) this.#end(isStopped ? 'stopped' : 'ready', null);
    } catch (thrown) {
      this.#end('failed', recordOf(thrown));
    }
  }

  #end(state: FileStatus['state'], error: ErrorRecord | null): void {
    this.#rows.seal();
    this.#ended = this.#reader;
    this.#reader = null;
    this.#own = { ...this.#own, state, error };
  }

  /** Reads the next part of the signal that was asked for first. */
  #readSignal(): void {
    const [asked] = this.#wantedSignals;
    if (!asked) return;
    this.#reading ??= new FileSignal(this.#rows, asked);
    if (this.#reading.readSome()) return;
    const { columns } = this.#reading.collector;
    this.#reading = null;
    this.#wantedSignals.shift();
    const { times, values, labels, labelStarts, levels } = columns;
    const columnsOfLevels = levels.flatMap(({ samples: _, ...arrays }) => Object.values(arrays));
    const transfer = [times, values, labels, labelStarts, ...columnsOfLevels];
    this.#options.post(
      { type: 'signal', key: asked.key, columns },
      transfer.map(({ buffer }) => buffer),
    );
  }

  async #readDatabase(name: string, file: Blob): Promise<void> {
    const answer = { type: 'database', content: null, error: null } as const;
    try {
      const store = new DatabaseStore(1, () => 0);
      store.load({ name, file: name, bytes: new Uint8Array(await file.arrayBuffer()) });
      const range = { offset: 0, limit: Number.POSITIVE_INFINITY, maxBytes: Number.MAX_VALUE };
      this.#options.post({ ...answer, content: store.page(name, range) as DatabaseContent });
    } catch (thrown) {
      this.#options.post({ ...answer, error: recordOf(thrown) });
    }
  }

  #become(change: Partial<OwnStatus>): void {
    this.#own = { ...this.#own, ...change };
    this.#postStatus();
  }

  #postStatus(): void {
    this.#statusAt = this.#options.now();
    const { total, firstUs, lastUs, channels, unlisted, reasons } = this.#rows;
    const reader = this.#reader ?? this.#ended;
    const {
      gaps = 0,
      missed = 0,
      malformed = 0,
      errors = [],
      skipped = {},
    } = reader?.account ?? {};
    this.#options.post({
      type: 'status',
      status: {
        ...this.#own,
        ...{ rows: total, firstUs, lastUs, unlisted, reasons },
        ...{ gaps, missed, malformed, errors, skipped },
        channels: channels.map((channel) => ({
          ...channel,
          name: reader?.channelNames?.get(channel.key) ?? null,
        })),
        isFiltering: this.#isFiltering,
        isMarking: this.#rows.isMarking,
        isTruncated: this.#isCut || (reader?.account.truncated ?? false),
      },
    });
  }
}
