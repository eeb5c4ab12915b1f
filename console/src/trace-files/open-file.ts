import { computed, signal } from '@preact/signals';
import { isChannel } from '../../../src/trace/channel-key.ts';
import { ApiError, type ErrorRecord, errorRecord } from '../api/api-error.ts';
import {
  type Channel,
  type DatabaseContent,
  type DatabaseMessage,
  type DatabaseSignal,
  pathOf,
  request,
  succeeded,
} from '../api/client.ts';
import { writeFile } from '../api/file-content.ts';
import type { SampleColumns } from '../samples/sample-series.ts';
import { catalogs, channels } from '../state/bench.ts';
import { PageWorker } from '../streams/page-worker.ts';
import type { SeenChannel } from '../trace-core/channel-names.ts';
import { RowClient } from '../trace-core/row-client.ts';
import type { FileAnswer, FileRequest, FileStatus, NamedChannel } from './file-messages.ts';

export type { FileStatus } from './file-messages.ts';

/** The file that is open; null without one. */
export const fileStatus = signal<FileStatus | null>(null);
/** Why a database was not read. */
export const databaseError = signal<{
  readonly name: string;
  readonly error: ErrorRecord;
} | null>(null);
/** Databases that were dropped, by name. They belong to this page, not to the service. */
const dropped = signal<ReadonlyMap<string, DatabaseContent>>(new Map());

/** Number of the file that is open, which changes with each one. */
export const openedFile = signal(0);

type FileWorker = PageWorker<FileRequest, FileAnswer>;

let worker: FileWorker | null = null;
let opened: Blob | null = null;
/** The open file is one of the project directory. */
export const isInProject = signal(false);

/** The file is wanted in the Trace in place of the stream. */
export const wantsFile = signal(true);
export const isFileShown = computed(() => wantsFile.value && fileStatus.value !== null);

const onSignal = new Map<string, (columns: SampleColumns) => void>();
let signalRequests = 0;

export const askFile = (asked: FileRequest, transfer: Transferable[] = []): void =>
  worker?.ask(asked, transfer);

/** The rows of the open file. */
export const fileRows = signal(new RowClient(askFile));

const notOpen: Omit<FileStatus, 'name'> = {
  state: 'reading',
  ...{ bytes: 0, error: null, readBytes: 0, format: null, hasDate: false },
  ...{ rows: 0, firstUs: Number.NaN, lastUs: Number.NaN, channels: [], unlisted: 0 },
  ...{
    isFiltering: false,
    isMarking: false,
    gaps: 0,
    missed: 0,
    malformed: 0,
    errors: [],
    skipped: {},
  },
  ...{ isTruncated: false, reasons: new Map() },
};

const startWorker = (onAnswer: (answer: FileAnswer) => void): FileWorker => {
  const started: FileWorker = new PageWorker<FileRequest, FileAnswer>({
    start: () => new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' }),
    onAnswer,
    onMissing: (error) => {
      const there = fileStatus.peek();
      if (there) fileStatus.value = { ...there, error: { ...errorRecord(error), isRetried: true } };
    },
  });
  return started;
};

export const closeFile = (): void => {
  worker?.close();
  worker = null;
  fileRows.peek().close();
  opened = null;
  onSignal.clear();
  fileStatus.value = null;
};

/** Opens a trace file in place of the one that is open. */
export const openFile = (name: string, file: Blob): void => {
  closeFile();
  opened = file;
  isInProject.value = false;
  const rows = new RowClient((asked, transfer) => started.ask(asked, transfer));
  const started = startWorker((answer) => {
    if (worker !== started) return;
    if (answer.type === 'status') fileStatus.value = answer.status;
    else if (answer.type === 'signal') onSignal.get(answer.key)?.(answer.columns);
    else if (answer.type !== 'ready' && answer.type !== 'database') rows.receive(answer);
  });
  worker = started;
  openedFile.value += 1;
  fileRows.value = rows;
  // Settings are sent to the worker of a file that is shown.
  fileStatus.value = { ...notOpen, name, bytes: file.size };
  started.ask({ type: 'open', name, file });
};

/** Values of a signal on a channel of the file, once the file is read. */
export const readSignal = (
  slot: number,
  message: DatabaseMessage,
  signal: DatabaseSignal,
): Promise<SampleColumns> =>
  new Promise((done) => {
    const key = String(++signalRequests);
    onSignal.set(key, (columns) => {
      onSignal.delete(key);
      done(columns);
    });
    askFile({ type: 'signal', key, slot, message, signal });
  });

export const stopReading = (): void => askFile({ type: 'stop' });

/** Reads a DBC or LDF file for the frames of the open file. */
export const readDatabaseFile = (name: string, file: Blob): void => {
  databaseError.value = null;
  const reading = startWorker((answer) => {
    if (answer.type !== 'database') return;
    reading.close();
    const { content, error } = answer;
    if (content) dropped.value = new Map(dropped.peek()).set(name, content);
    if (error) databaseError.value = { name, error };
  });
  reading.ask({ type: 'database', name, file });
};

/** A large file over a slow network. */
const fetchLimitMs = 30 * 60_000;

/** Opens a trace of the project directory. */
export const openProjectFile = async (file: string): Promise<void> => {
  const before = openedFile.peek();
  const path = pathOf('file.get', { file });
  const bytes = await request(path, { limitMs: fetchLimitMs }, async (response) =>
    (await succeeded(response)).blob(),
  );
  // Another file was opened meanwhile.
  if (openedFile.peek() !== before) return;
  openFile(file.slice(file.lastIndexOf('/') + 1), bytes);
  isInProject.value = true;
};

/** Bytes that were sent; null if no upload is running. */
export const uploadedBytes = signal<number | null>(null);

/** Uploads the open file into the project directory. */
export const uploadFile = async (): Promise<void> => {
  const { name } = fileStatus.peek() ?? {};
  const content = opened;
  if (name === undefined || content === null) return;
  uploadedBytes.value = 0;
  try {
    await writeFile(name, content, {
      onProgress: (sent) => {
        uploadedBytes.value = sent;
      },
    });
    if (opened === content) isInProject.value = true;
  } finally {
    uploadedBytes.value = null;
  }
};

const isDatabase = (name: string): boolean => /\.(?:dbc|ldf)$/i.test(name);

/** Takes files that the user chose or dropped. Of several traces, only one can be open. */
export const takeFiles = (files: readonly File[]): void => {
  for (const file of files) {
    if (isDatabase(file.name)) readDatabaseFile(file.name, file);
    else openFile(file.name, file);
  }
};

export const fileCatalogs = computed<ReadonlyMap<string, DatabaseContent>>(
  () => new Map([...dropped.value, ...(catalogs.data.value ?? [])]),
);

/** Recomputed only if it changes: the status is replaced several times a second. */
const listed = computed(() => JSON.stringify(fileStatus.value?.channels ?? []));
const namedChannels = computed<readonly NamedChannel[]>(() => JSON.parse(listed.value));

const labelsOf = ({ bus, number, name }: NamedChannel): readonly string[] => {
  const own = `${bus.toUpperCase()} ${number}`;
  return name === null ? [own] : [name, own];
};

export const fileChannels = computed<readonly SeenChannel[]>(() =>
  namedChannels.value.map((channel, slot) => ({
    slot,
    number: channel.number,
    labels: labelsOf(channel),
    fromUs: Number.NEGATIVE_INFINITY,
    untilUs: Number.POSITIVE_INFINITY,
  })),
);

const isOfBus = (bus: 'can' | 'lin', other: string): boolean =>
  (other === 'lin') === (bus === 'lin');

/** The open channel that a channel of a file was recorded from: by name, else by number. */
const liveOf = (
  { key, bus, number, name }: NamedChannel,
  open: readonly Channel[],
): Channel | undefined => {
  const ofBus = open.filter((channel) => isOfBus(bus, channel.bus));
  return (
    ofBus.find(
      (channel) =>
        isChannel(channel.selector, key, name) ||
        (channel.name !== null && isChannel(channel.name, key, name)),
    ) ?? ofBus.find((channel) => channel.number === number)
  );
};

/** The open channel of each channel of the file, by slot. */
export const recordedFrom = computed(() => {
  const open = channels.data.value?.channels ?? [];
  return namedChannels.value.map((channel) => liveOf(channel, open));
});

/** Databases of each channel of the file: dropped ones first, then those of the bench. */
export const fileAttachments = computed(() =>
  namedChannels.value.map((channel, slot) => {
    const own = [...dropped.value.values()]
      .filter(({ type }) => (type === 'ldf') === (channel.bus === 'lin'))
      .map(({ name }) => name);
    return { slot, fromUs: 0, databases: [...own, ...(recordedFrom.value[slot]?.databases ?? [])] };
  }),
);

export const fileError = computed(() => {
  const error = fileStatus.value?.error;
  return error ? new ApiError(error) : null;
});
