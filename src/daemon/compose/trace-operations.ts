import type { Dispatcher } from '../../operations/dispatcher.ts';
import { traceSummary } from '../../operations/trace.ts';
import type { LoaderLink } from './loader-link.ts';

/** Binds what concerns trace files. The loader reads them. */
export const bindTraceOperations = (dispatcher: Dispatcher, loader: LoaderLink): void => {
  dispatcher.bind(traceSummary, async ({ arguments: { file } }) =>
    (await loader.remote).summarizeTrace(file),
  );
};
