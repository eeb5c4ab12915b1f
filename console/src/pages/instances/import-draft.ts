import type { GatewayImportRequest } from '../../api/client.ts';
import { numberOf } from '../../forms/number-text.ts';

/** An import as it is being filled in; texts as they were typed. */
export interface ImportDraft {
  readonly file: string;
  readonly output: string;
  readonly merge: string;
  readonly instance: string;
  readonly network: string;
  readonly direction: 'rx' | 'tx';
  readonly missingCycle: '' | 'periodic' | 'on_change';
  readonly defaultPeriodMs: string;
  readonly staleAfterMs: string;
}

export const emptyImport: ImportDraft = {
  file: '',
  output: '',
  merge: '',
  instance: '',
  network: '',
  direction: 'rx',
  missingCycle: '',
  defaultPeriodMs: '',
  staleAfterMs: '',
};

/** The fields of the request, each of which has its own place in the form. */
export const importFields = [
  ...['file', 'output', 'merge', 'instance', 'network', 'direction'],
  ...['missing_cycle', 'default_period_ms', 'stale_after_ms'],
];

/** What to write where nothing was said: the project that is added to, else beside the database. */
export const suggestedOutput = ({ file, merge }: Pick<ImportDraft, 'file' | 'merge'>): string => {
  if (merge !== '') return merge;
  return file === '' ? '' : `${file.replace(/\.dbc$/i, '')}.gwproj`;
};

/** What is written. */
export const outputOf = (draft: ImportDraft): string =>
  draft.output.trim() || suggestedOutput(draft);

/** The request that a draft stands for; what was left empty is left out. */
export const importBody = (draft: ImportDraft): Readonly<Record<string, unknown>> => {
  const { file, merge, instance, network, direction, missingCycle } = draft;
  const output = outputOf(draft);
  const numbers = {
    default_period_ms: numberOf(draft.defaultPeriodMs),
    stale_after_ms: numberOf(draft.staleAfterMs),
  };
  const given: Partial<Record<keyof GatewayImportRequest, unknown>> = {
    file,
    output,
    network: network.trim(),
    direction,
    ...(merge === '' ? {} : { merge }),
    ...(instance.trim() === '' ? {} : { instance: instance.trim() }),
    ...(missingCycle === '' ? {} : { missing_cycle: missingCycle }),
    ...numbers,
  };
  return given;
};
