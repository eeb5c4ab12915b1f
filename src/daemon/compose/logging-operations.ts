import type { Dispatcher } from '../../operations/dispatcher.ts';
import { loggingStart, loggingStatus, loggingStop } from '../../operations/logging.ts';
import type { LoggingService } from './logging-service.ts';

/** Binds what concerns logging. */
export const bindLoggingOperations = (dispatcher: Dispatcher, logging: LoggingService): void => {
  dispatcher
    .bind(loggingStart, ({ arguments: { file, channels, format, overwrite }, caller }) =>
      logging.start(
        {
          file,
          format: format ?? 'asc',
          overwrite: overwrite ?? false,
          channels: channels ?? [],
        },
        caller,
      ),
    )
    .bind(loggingStatus, () => logging.status())
    .bind(loggingStop, () => logging.stop());
};
