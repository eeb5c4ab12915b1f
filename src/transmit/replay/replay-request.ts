import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { type IdChange, idChangesOf } from './replay-ids.ts';
import { lapGapUs } from './replay-timeline.ts';

export const speedLimits = { minimum: 0.001, maximum: 1000 } as const;

export const maxMappings = 256;

/** Each keeps a file open. */
export const maxFiles = 16;

export const repeatLimits = {
  count: { minimum: 1, maximum: 1_000_000_000 },
  pauseUs: { minimum: 0, maximum: 86_400_000_000, default: lapGapUs },
} as const;

interface ReplayRepeat {
  readonly count: number;
  readonly pause_us?: number | undefined;
}

export interface ReplayRequest {
  readonly file?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly channels: Readonly<Record<string, string>>;
  readonly filter?: string | undefined;
  readonly ids?: Readonly<Record<string, string>> | undefined;
  readonly speed: number;
  readonly loop: boolean;
  readonly repeat?: ReplayRepeat | undefined;
  readonly start_offset_us: number;
}

export interface ReplayOrder {
  readonly files: readonly string[];
  readonly field: 'file' | 'files';
  readonly channels: Readonly<Record<string, string>>;
  readonly filter: string | null;
  readonly ids: Readonly<Record<string, string>>;
  readonly idChanges: readonly IdChange[];
  readonly speed: number;
  readonly loop: boolean;
  readonly repeat: { readonly count: number; readonly pause_us: number } | null;
  readonly startOffsetUs: number;
}

const outOfRange = (field: string, words: string): BusbarError =>
  invalidArgument(field, `${field} must ${words}`, { reason: 'out_of_range' });

const filesOf = ({ file, files }: ReplayRequest): Pick<ReplayOrder, 'files' | 'field'> => {
  if (file !== undefined && files !== undefined) {
    throw invalidArgument('files', 'files duplicates file: omit one of them', {
      reason: 'exclusive',
    });
  }
  if (file !== undefined) return { files: [file], field: 'file' };
  if (files === undefined) {
    throw invalidArgument('file', 'file is required: the trace to replay', { reason: 'missing' });
  }
  if (files.length === 0 || files.length > maxFiles) {
    throw outOfRange('files', `name 1 to ${maxFiles} files`);
  }
  // One file is reported as if it were alone.
  return { files, field: files.length === 1 ? 'file' : 'files' };
};

const repeatOf = ({ repeat, loop }: ReplayRequest): ReplayOrder['repeat'] => {
  if (!repeat) return null;
  if (loop) {
    throw invalidArgument('repeat', 'repeat excludes loop: omit one of them', {
      reason: 'exclusive',
    });
  }
  const { count, pause_us = repeatLimits.pauseUs.default } = repeat;
  for (const [field, value, { minimum, maximum }] of [
    ['repeat.count', count, repeatLimits.count],
    ['repeat.pause_us', pause_us, repeatLimits.pauseUs],
  ] as const) {
    if (Number.isInteger(value) && value >= minimum && value <= maximum) continue;
    throw outOfRange(field, `be an integer from ${minimum} to ${maximum}`);
  }
  return { count, pause_us };
};

export const replayOrder = (request: ReplayRequest): ReplayOrder => {
  const { channels, filter = null, ids = {}, speed, loop } = request;
  const { start_offset_us: startOffsetUs } = request;
  const files = filesOf(request);
  const mappings = Object.keys(channels).length;
  if (mappings === 0 || mappings > maxMappings) {
    throw outOfRange('channels', `map 1 to ${maxMappings} channels`);
  }
  const { minimum, maximum } = speedLimits;
  if (!(speed >= minimum && speed <= maximum)) {
    throw outOfRange('speed', `be from ${minimum} to ${maximum}`);
  }
  if (!Number.isSafeInteger(startOffsetUs) || startOffsetUs < 0) {
    throw outOfRange('start_offset_us', 'be an integer of at least 0');
  }
  const repeat = repeatOf(request);
  const idChanges = idChangesOf(ids);
  return { ...files, channels, filter, ids, idChanges, speed, loop, repeat, startOffsetUs };
};
