export const emptyDraft = {
  source: 'trace',
  trace: '',
  seconds: '30',
  channels: [] as readonly string[],
  file: '',
  checks: '',
  databases: '',
  bitrate: '',
};

export type CheckDraft = typeof emptyDraft;

export const isLive = ({ source }: CheckDraft): boolean => source === 'live';
export const isOfTrace = (draft: CheckDraft): boolean => !isLive(draft);

const partsOf = (text: string, separator: RegExp): readonly string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** One check a line. */
export const checksOf = (text: string): readonly { readonly check: string }[] =>
  partsOf(text, /\n/).map((check) => ({ check }));

export const namesOf = (text: string): readonly string[] => partsOf(text, /,/);

/** Files separated by commas, each with `@` and its channel if it is for one only. */
export const databasesOf = (text: string): readonly { file: string; channel?: string }[] =>
  namesOf(text).map((name) => {
    const at = name.lastIndexOf('@');
    return at < 1 ? { file: name } : { file: name.slice(0, at), channel: name.slice(at + 1) };
  });

/** What the schema cannot say: each source needs its own fields. */
export const draftProblems = (draft: CheckDraft) => [
  ...(isOfTrace(draft) && draft.trace.trim() === ''
    ? [{ field: 'trace', message: 'Required' }]
    : []),
  ...(isLive(draft) && draft.seconds.trim() === ''
    ? [{ field: 'seconds', message: 'Required' }]
    : []),
  ...(draft.file.trim() === '' && checksOf(draft.checks).length === 0
    ? [{ field: 'checks', message: 'Enter a check, or choose a check file' }]
    : []),
];
