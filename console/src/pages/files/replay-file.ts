import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { TraceSummary } from '../../api/schema.ts';

/** The service reads a large file for some seconds. */
const limitMs = 20_000;

/** What the file that is to be replayed holds; null while that is not known. */
export const replayFile = signal<TraceSummary | null>(null);
/** Why it is not known. */
export const replayFileError = signal<ApiError | null>(null);

let lookedInto = '';
let look: Promise<void> = Promise.resolve();

const read = async (file: string): Promise<void> => {
  try {
    const summary = await call('trace.summary', { query: { file }, limitMs });
    if (file === lookedInto) replayFile.value = summary;
  } catch (thrown) {
    if (file === lookedInto) replayFileError.value = thrown as ApiError;
  }
};

/** Forgets what was found, because another file is being named. */
export const forgetFile = (): void => {
  lookedInto = '';
  replayFile.value = null;
  replayFileError.value = null;
};

/** Looks into a file, unless that was done or is under way. */
export const lookInto = (file: string): Promise<void> => {
  if (file === '' || file === lookedInto) return look;
  forgetFile();
  lookedInto = file;
  look = read(file);
  return look;
};
