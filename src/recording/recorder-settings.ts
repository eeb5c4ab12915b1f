import { extname } from 'node:path';
import { Type } from 'typebox';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { nullable, type RecordOf } from '../base/schema/schemas.ts';
import { maxConditionLength, parseCondition } from '../condition/parse-condition.ts';
import { type TraceFormat, traceFiles, traceFormats, withArticle } from '../trace/trace-format.ts';
import { FilePattern } from './file-pattern.ts';
import { maxKeptFiles } from './recording-request.ts';

const closed = { additionalProperties: false } as const;

const maxBytes = Number.MAX_SAFE_INTEGER;
/** Smallest size of a file that another one follows; the head of an MF4 file takes half of it. */
export const minSplitBytes = 65_536;
const weekSeconds = 7 * 24 * 3600;

const condition = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      description,
      minLength: 1,
      maxLength: maxConditionLength,
      examples: [example],
    }),
  );

const milliseconds = (description: string) =>
  Type.Optional(
    Type.Integer({
      description: `${description}; default: 0`,
      minimum: 0,
      maximum: 3_600_000,
      examples: [2000],
    }),
  );

const Split = Type.Object(
  {
    max_bytes: Type.Optional(
      Type.Integer({
        description: 'Size after which the next file begins',
        minimum: minSplitBytes,
        maximum: maxBytes,
        examples: [100_000_000],
      }),
    ),
    max_seconds: Type.Optional(
      Type.Integer({
        description: 'Duration after which the next file begins',
        minimum: 1,
        maximum: weekSeconds,
        examples: [3600],
      }),
    ),
  },
  {
    ...closed,
    description: 'When the next file begins. The file needs {n} in its name; {} = one file',
  },
);

const Keep = Type.Object(
  {
    max_files: Type.Optional(
      Type.Integer({
        description: 'Number of files to keep',
        minimum: 1,
        maximum: maxKeptFiles,
        examples: [24],
      }),
    ),
    max_bytes: Type.Optional(
      Type.Integer({
        description: 'Size of all files to keep',
        minimum: 65_536,
        maximum: maxBytes,
        examples: [10_000_000_000],
      }),
    ),
  },
  {
    ...closed,
    description: `How much is kept, at most ${maxKeptFiles} files: older files that this recorder wrote are deleted; {} = all files`,
  },
);

const Trigger = Type.Object(
  {
    start: condition(
      'Condition that starts the recording. Met again during post_ms, it prolongs the recording',
      'error',
    ),
    stop: condition(
      'Condition that stops the recording. Without start, the recorder records until then and ends',
      'signal Engine.EngineSpeed < 300',
    ),
    pre_ms: milliseconds('Time before the start that is recorded too, as far as it is retained'),
    post_ms: milliseconds(
      'Time that is recorded after the stop, or after a start without a stop; with 0 and no stop, the recording ends when the recorder is stopped',
    ),
    once: Type.Optional(
      Type.Boolean({
        description: 'Whether the recorder stops after the first recording; default: false',
      }),
    ),
  },
  {
    ...closed,
    description:
      'Conditions that start and stop the recording; {} = none. Each recording begins the next file if the name has {n}; otherwise all are in one file',
  },
);

const selector = Type.String({ minLength: 1, maxLength: 200 });
const channelList = { maxItems: 64, examples: [['SIM00001/0']] };

/** Channels in a request that changes a recorder. */
export const changedChannels = Type.Optional(
  Type.Array(selector, {
    description: 'Channels to record, by any selector; [] = all, including new ones',
    ...channelList,
  }),
);

/** Fields of a recorder, in the bench file and in requests that add one. */
export const recorderFields = {
  file: Type.String({
    description:
      'Pattern of the files, inside the project directory: {name}, {bench}, {date} and {time} in UTC, {n} = number of the file',
    minLength: 1,
    maxLength: 4096,
    examples: ['night/{name}-{date}-{n}.mf4'],
  }),
  channels: Type.Optional(
    Type.Array(selector, {
      description: 'Channels to record, by any selector; default: all, including new ones',
      minItems: 1,
      ...channelList,
    }),
  ),
  format: Type.Optional(
    Type.Enum([...traceFormats], { description: 'File format; default: from the extension' }),
  ),
  split: Type.Optional(Split),
  keep: Type.Optional(Keep),
  compress: Type.Optional(
    Type.Boolean({
      description:
        'Compress each file when it is complete: ASC and candump logs with gzip, MF4 inside; default: false',
    }),
  ),
  embed_databases: Type.Optional(
    Type.Boolean({
      description: 'MF4: attach the databases of the channels to each file; default: false',
    }),
  ),
  trigger: Type.Optional(Trigger),
  sync_seconds: Type.Optional(
    Type.Integer({
      description: 'Maximum age of events that a power failure can cost; default: 1',
      minimum: 1,
      maximum: 3600,
      examples: [1],
    }),
  ),
};

const RecorderEntry = Type.Object(recorderFields);
/** A recorder as a request or the bench file gives it. */
export type RecorderEntry = RecordOf<typeof RecorderEntry>;

/** Settings of a recorder, complete, as its record has them. */
export const settingsFields = {
  file: Type.String({ description: 'Pattern of the files, as given' }),
  channels: nullable(Type.Array(Type.String()), { description: 'Selectors; null: all channels' }),
  format: Type.Enum([...traceFormats]),
  split: nullable(Split, { description: 'null: one file' }),
  keep: nullable(Keep, { description: 'null: all files' }),
  compress: Type.Boolean(),
  embed_databases: Type.Boolean(),
  trigger: nullable(Trigger, { description: 'null: records from start to stop' }),
  sync_seconds: Type.Integer({ minimum: 1 }),
};

const RecorderSettings = Type.Object(settingsFields);
export type RecorderSettings = RecordOf<typeof RecorderSettings>;
export type SplitSettings = NonNullable<RecorderSettings['split']>;
export type KeepSettings = NonNullable<RecorderSettings['keep']>;
export type TriggerSettings = NonNullable<RecorderSettings['trigger']>;

const formatOf = ({ file, format }: RecorderEntry): TraceFormat => {
  if (format !== undefined) return format;
  const ending = extname(file).toLowerCase();
  const found = traceFormats.find((each) => traceFiles[each].ending === ending);
  if (found) return found;
  const endings = traceFormats.map((each) => traceFiles[each].ending).join(', ');
  throw invalidArgument('file', `file must end with one of ${endings}: ${file}`, {
    reason: 'unknown_format',
    path: file,
  });
};

/** An empty group is the same as none, so that a change can remove one. */
const groupOf = <Group extends object>(group: Group | undefined): Group | null =>
  group === undefined || Object.keys(group).length === 0 ? null : group;

/** Completes the settings of a recorder, and rejects those that contradict each other. */
export const settingsOf = (entry: RecorderEntry): RecorderSettings => {
  const { file, channels = [], compress = false, embed_databases = false } = entry;
  const pattern = FilePattern.parse(file);
  const format = formatOf(entry);
  const title = withArticle(traceFiles[format].title, 'A');
  const split = groupOf(entry.split);
  const keep = groupOf(entry.keep);
  const trigger = groupOf(entry.trigger);
  if (split && !pattern.hasNumber) {
    throw invalidArgument('file', 'file needs {n}, because split makes several files', {
      reason: 'not_numbered',
      path: file,
    });
  }
  if (keep && !pattern.isSeries) {
    throw invalidArgument('file', 'file needs {n}, {date} or {time}, because keep deletes files', {
      reason: 'not_numbered',
      path: file,
    });
  }
  if (compress && format === 'blf') {
    throw invalidArgument('compress', `${title} is compressed already`, {
      reason: 'format',
    });
  }
  if (embed_databases && !canEmbed(format)) {
    throw invalidArgument('embed_databases', `${title} cannot contain databases`, {
      reason: 'format',
    });
  }
  if (trigger && trigger.start === undefined && trigger.stop === undefined) {
    throw invalidArgument('trigger', 'trigger needs start or stop', { reason: 'missing' });
  }
  for (const end of ['start', 'stop'] as const) {
    const text = trigger?.[end];
    if (text !== undefined) parseCondition(text, `trigger.${end}`);
  }
  if (trigger?.pre_ms && trigger.start === undefined) {
    throw invalidArgument('trigger.pre_ms', 'trigger.pre_ms needs start', { reason: 'missing' });
  }
  return {
    file,
    channels: channels.length === 0 ? null : channels,
    format,
    split,
    keep,
    compress,
    embed_databases,
    trigger,
    sync_seconds: entry.sync_seconds ?? 1,
  };
};

const canEmbed = (format: string): boolean => format === 'mf4';
