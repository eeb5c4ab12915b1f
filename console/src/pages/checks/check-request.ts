export const emptyDraft = {
  trace: '',
  file: '',
  checks: '',
  databases: '',
  bitrate: '',
};

export type CheckDraft = typeof emptyDraft;

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

/** What the schema cannot say. */
export const draftProblems = ({ trace, file, checks }: CheckDraft) => [
  ...(trace.trim() === '' ? [{ field: 'trace', message: 'Required' }] : []),
  ...(file.trim() === '' && checksOf(checks).length === 0
    ? [{ field: 'checks', message: 'Enter a check, or choose a check file' }]
    : []),
];
