import { invalidArgument } from '../../base/errors/busbar-error.ts';

export const speedLimits = { minimum: 0.001, maximum: 1000 } as const;

export const maxMappings = 256;

export interface ReplayRequest {
  readonly file: string;
  readonly channels: Readonly<Record<string, string>>;
  readonly speed: number;
  readonly loop: boolean;
  readonly start_offset_us: number;
}

export interface ReplayOrder {
  readonly file: string;
  readonly channels: Readonly<Record<string, string>>;
  readonly speed: number;
  readonly loop: boolean;
  readonly startOffsetUs: number;
}

export const replayOrder = (request: ReplayRequest): ReplayOrder => {
  const { file, channels, speed, loop, start_offset_us: startOffsetUs } = request;
  const mappings = Object.keys(channels).length;
  if (mappings === 0 || mappings > maxMappings) {
    throw invalidArgument('channels', `channels must map 1 to ${maxMappings} channels`, {
      reason: 'out_of_range',
    });
  }
  const { minimum, maximum } = speedLimits;
  if (!(speed >= minimum && speed <= maximum)) {
    throw invalidArgument('speed', `speed must be from ${minimum} to ${maximum}`, {
      reason: 'out_of_range',
    });
  }
  if (!Number.isSafeInteger(startOffsetUs) || startOffsetUs < 0) {
    throw invalidArgument('start_offset_us', 'start_offset_us must be an integer of at least 0', {
      reason: 'out_of_range',
    });
  }
  return { file, channels, speed, loop, startOffsetUs };
};
