import { JsonText } from '../../base/json/json-text.ts';
import { messageRange } from '../../database/service/message-range.ts';
import {
  databaseList,
  databaseLoad,
  databaseShow,
  databaseUnload,
} from '../../operations/database.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { databasePage } from '../../operations/limits.ts';
import { traceSummary } from '../../operations/trace.ts';
import type { LoaderLink } from '../threads/loader-link.ts';

/** Binds what concerns databases and trace files. They live in the loader, which parses them. */
export const bindLoaderOperations = (dispatcher: Dispatcher, loader: LoaderLink): void => {
  dispatcher
    .bind(databaseLoad, ({ arguments: { file, name } }) =>
      loader.load({ file, name: name ?? null }),
    )
    .bind(databaseList, async () => ({ databases: await (await loader.remote).list() }))
    .bind(databaseShow, async ({ arguments: request, given }) => {
      const { name, message, offset, limit, signal_offset: signalOffset = 0 } = request;
      const range = messageRange(
        {
          message,
          offset: given.has('offset') ? offset : undefined,
          limit: given.has('limit') ? limit : undefined,
          signalOffset,
        },
        databasePage.default,
      );
      return new JsonText(await (await loader.remote).show(name, range));
    })
    .bind(databaseUnload, ({ arguments: { name } }) => loader.unload(name))
    .bind(traceSummary, async ({ arguments: { file } }) =>
      (await loader.remote).summarizeTrace(file),
    );
};
