import { JsonText } from '../../base/json/json-text.ts';
import { messageRange } from '../../database/service/message-range.ts';
import {
  databaseList,
  databaseLoad,
  databaseShow,
  databaseUnload,
} from '../../operations/database.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { traceSummary } from '../../operations/trace.ts';
import type { LoaderLink } from '../threads/loader-link.ts';

/** Binds what concerns databases and trace files. They live in the loader, which parses them. */
export const bindLoaderOperations = (dispatcher: Dispatcher, loader: LoaderLink): void => {
  dispatcher
    .bind(databaseLoad, ({ arguments: { file, name } }) => loader.load({ file, name }))
    .bind(databaseList, async () => ({ databases: await (await loader.remote).list() }))
    .bind(databaseShow, async ({ arguments: request, given }) => {
      const range = messageRange(request, given);
      return new JsonText(await (await loader.remote).show(request.name, range));
    })
    .bind(databaseUnload, ({ arguments: { name } }) => loader.unload(name))
    .bind(traceSummary, async ({ arguments: { file } }) =>
      (await loader.remote).summarizeTrace(file),
    );
};
