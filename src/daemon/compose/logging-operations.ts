import { extname } from 'node:path';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { loggingStart, loggingStatus, loggingStop } from '../../operations/logging.ts';
import type { LoggingService } from './logging-service.ts';

/** What files of these names are taken for, by people and by their tools. */
const otherFormats: Readonly<Record<string, string>> = {
  '.blf': 'BLF trace',
  '.bz2': 'compressed file',
  '.csv': 'CSV table',
  '.gz': 'compressed file',
  '.log': 'candump log',
  '.mdf': 'MDF measurement',
  '.mf4': 'MDF measurement',
  '.pcap': 'packet capture',
  '.pcapng': 'packet capture',
  '.trc': 'TRC trace',
  '.xz': 'compressed file',
  '.zip': 'compressed file',
  '.zst': 'compressed file',
};

/** A file that is named like one of another format would be found not to be one when it is needed. */
const refuseMisnamed = (file: string): void => {
  const other = otherFormats[extname(file).toLowerCase()];
  if (other === undefined) return;
  throw invalidArgument('file', `${file} would be no ${other}: logging writes ASC`, {
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
