export const emptyImport = {
  file: '',
  output: '',
  merge: '',
  instance: '',
  network: '',
  direction: 'rx' as 'rx' | 'tx',
  missing_cycle: '',
  default_period_ms: '',
  stale_after_ms: '',
};

type ImportDraft = typeof emptyImport;

export const suggestedOutput = ({ file, merge }: Pick<ImportDraft, 'file' | 'merge'>): string => {
  if (merge !== '') return merge;
  return file === '' ? '' : `${file.replace(/\.dbc$/i, '')}.gwproj`;
};

export const outputOf = (draft: ImportDraft): string =>
  draft.output.trim() || suggestedOutput(draft);
