import { type TraceFormat, traceFiles, traceFormats } from '../../../../src/trace/trace-format.ts';
import type { RecorderSummary } from '../../api/client.ts';
import { numberOf } from '../../forms/number-text.ts';

export const emptyDraft = {
  name: '',
  file: '',
  format: '',
  channels: [] as readonly string[],
  split_bytes: '',
  split_seconds: '',
  keep_files: '',
  keep_bytes: '',
  start: '',
  stop: '',
  pre_ms: '',
  post_ms: '',
  once: false,
  sync_seconds: '',
  compress: false,
  embed_databases: false,
};

export type RecorderDraft = typeof emptyDraft;

const sizeText = /^(\d+\.?\d*)\s*([kmg])(i?)b$/i;
const letters = 'kmg';

/** A size such as `100 MB`, `64 KiB` or `100000000`. Other text stays, so that the schema refuses it. */
export const bytesOf = (text: string): number | string | undefined => {
  const [, number, letter = '', binary] = sizeText.exec(text.trim()) ?? [];
  if (number === undefined) return numberOf(text);
  const power = letters.indexOf(letter.toLowerCase()) + 1;
  return Number((Number(number) * (binary ? 1024 : 1000) ** power).toFixed(3));
};

const units = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

export const bytesText = (bytes: number | undefined): string => {
  if (bytes === undefined) return '';
  const unit = units.find(([, factor]) => bytes >= factor && bytes % (factor / 10) === 0);
  return unit ? `${bytes / unit[1]} ${unit[0]}` : String(bytes);
};

const formatOfFile = (file: string): TraceFormat | undefined =>
  traceFormats.find((format) => file.trim().toLowerCase().endsWith(traceFiles[format].ending));

export const formatOf = ({ file, format }: RecorderDraft): string =>
  format === '' ? (formatOfFile(file) ?? '') : format;

export const isTriggered = ({ start, stop }: RecorderDraft): boolean =>
  start.trim() !== '' || stop.trim() !== '';

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

export const draftOf = (recorder: RecorderSummary): RecorderDraft => {
  const { name, file, format, channels, split, keep, trigger, sync_seconds } = recorder;
  return {
    name,
    file,
    format: formatOfFile(file) === format ? '' : format,
    channels: channels ?? [],
    split_bytes: bytesText(split?.max_bytes),
    split_seconds: textOf(split?.max_seconds),
    keep_files: textOf(keep?.max_files),
    keep_bytes: bytesText(keep?.max_bytes),
    start: trigger?.start ?? '',
    stop: trigger?.stop ?? '',
    pre_ms: textOf(trigger?.pre_ms),
    post_ms: textOf(trigger?.post_ms),
    once: trigger?.once ?? false,
    sync_seconds: String(sync_seconds),
    compress: recorder.compress,
    embed_databases: recorder.embed_databases,
  };
};

/** A change with every setting: the service keeps those that a request does not name. */
export const changeOf = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...{ channels: [], split: {}, keep: {}, trigger: {} },
  ...{ compress: false, embed_databases: false, sync_seconds: 1 },
  ...body,
});
