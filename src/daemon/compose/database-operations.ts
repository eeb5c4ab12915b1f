import { invalidArgument } from '../../base/errors/busbar-error.ts';
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

/** One message is no page of several. */
const refuseRange = (given: ReadonlySet<string>): void => {
  const field = ['offset', 'limit'].find((name) => given.has(name));
  if (field === undefined) return;
  throw invalidArgument(field, `${field} is for pages of messages, and message is for one alone`, {
    reason: 'conflicts_with_message',
  });
};

/** Binds what concerns databases. They live in the loader, which parses them. */
export const bindDatabaseOperations = (dispatcher: Dispatcher, loader: LoaderLink): void => {
  dispatcher
    .bind(databaseLoad, ({ arguments: { file, name } }) =>
      loader.load({ file, name: name ?? null }),
    )
    .bind(databaseList, async () => ({ databases: await (await loader.remote).list() }))
    .bind(databaseShow, async ({ arguments: wish, given }) => {
      const { name, message, offset = 0, limit = databasePage.default, signal_offset = 0 } = wish;
      if (message !== undefined) refuseRange(given);
      const remote = await loader.remote;
      const range = { offset, limit, signalOffset: signal_offset };
      const page = remote.show(name, message === undefined ? range : { ...range, message });
      return new JsonText(await page);
    })
    .bind(databaseUnload, ({ arguments: { name } }) => loader.unload(name));
};
