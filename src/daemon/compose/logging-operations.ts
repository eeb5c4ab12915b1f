import { extname } from 'node:path';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { loggingStart, loggingStatus, loggingStop } from '../../operations/logging.ts';
import type { LoggingService } from './logging-service.ts';

/** Whoever names the file like a BLF trace expects one, and finds out when no other tool reads it. */
const refuseMisnamed = (file: string): void => {
  if (extname(file).toLowerCase() !== '.blf') return;
  throw invalidArgument('file', `${file} would be no BLF trace: logging writes ASC`, {
    reason: 'other_format',
    path: file,
  });
};

/** Binds what concerns logging. */
export const bindLoggingOperations = (dispatcher: Dispatcher, logging: LoggingService): void => {
  dispatcher
    .bind(loggingStart, ({ arguments: { file, channels, format, overwrite }, given, caller }) => {
      if (!given.has('format')) refuseMisnamed(file);
      return logging.start(
        {
          file,
          format: format ?? 'asc',
          overwrite: overwrite ?? false,
          channels: channels ?? [],
        },
        caller,
      );
    })
    .bind(loggingStatus, () => logging.status())
    .bind(loggingStop, () => logging.stop());
};
