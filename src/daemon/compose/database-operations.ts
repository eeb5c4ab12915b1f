import { JsonText } from '../../base/json/json-text.ts';
import {
  databaseList,
  databaseLoad,
  databaseShow,
  databaseUnload,
} from '../../operations/database.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { databasePage } from '../../operations/limits.ts';
import type { LoaderLink } from './loader-link.ts';

/** Binds what concerns databases. They live in the loader, which parses them. */
export const bindDatabaseOperations = (dispatcher: Dispatcher, loader: LoaderLink): void => {
  dispatcher
    .bind(databaseLoad, ({ arguments: { file, name } }) =>
      loader.load({ file, name: name ?? null }),
    )
    .bind(databaseList, async () => ({ databases: await (await loader.remote).list() }))
    .bind(databaseShow, async ({ arguments: { name, offset, limit, signal_offset } }) => {
      const remote = await loader.remote;
      return new JsonText(
        await remote.show(name, offset ?? 0, limit ?? databasePage.default, signal_offset ?? 0),
      );
    })
    .bind(databaseUnload, ({ arguments: { name } }) => loader.unload(name));
};
