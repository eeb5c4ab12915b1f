import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { loggingStart, loggingStatus, loggingStop } from '../../operations/logging.ts';
import type { LoggingService } from '../../recording/service/logging-service.ts';

interface LoggingContext {
  readonly logging: LoggingService;
  /** Slots of the channels that selectors name. */
  readonly follow: (selectors: readonly string[], caller: Caller) => Promise<readonly number[]>;
}

/** Binds what concerns logging. */
export const bindLoggingOperations = (dispatcher: Dispatcher, context: LoggingContext): void => {
  const { logging, follow } = context;
  dispatcher
    .bind(loggingStart, ({ arguments: request, given, caller }) =>
      logging.start({ ...request, isFormatGiven: given.has('format') }, (selectors) =>
        follow(selectors, caller),
      ),
    )
    .bind(loggingStatus, () => logging.status())
    .bind(loggingStop, () => logging.stop());
};
