import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type GatewayImport, type GatewayValidation } from '../../api/client.ts';
import { projectMs } from '../../gateway/actions.ts';
import { chooseInstance, gateways, rememberInstance } from '../../state/gateways.ts';
import { currentPage } from '../../state/pages.ts';

/** Project problem as reported by the service; a test compares the type with the service. */
export interface ProjectProblem {
  readonly table: string | null;
  readonly row: string | null;
  readonly index: number | null;
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface ProblemList {
  readonly file: string;
  readonly problems: readonly ProjectProblem[];
  readonly total: number;
}

const isProblem = (value: unknown): value is ProjectProblem =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

export const problemsOf = (file: string, { code, details }: ApiError): ProblemList | null => {
  if (code !== 'invalid_project' || !Array.isArray(details.problems)) return null;
  const problems = details.problems.filter(isProblem);
  const total = typeof details.total === 'number' ? details.total : problems.length;
  return { file, problems, total };
};

export const textOf = ({ message }: ProjectProblem): string =>
  message.replace(/^\w+\[\d+\](?: "[^"]*")?: /, '');

export const placeOf = ({ table, row, index, field }: ProjectProblem): string => {
  const line = row ?? (typeof index === 'number' ? `row ${index + 1}` : null);
  const parts = [table, line, field].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : 'whole file';
};

export const view = signal<'projects' | 'import'>('projects');
export const wantedName = signal('');
export const busyFile = signal<string | null>(null);

export type Outcome =
  | { readonly kind: 'valid'; readonly file: string; readonly validation: GatewayValidation }
  | ({ readonly kind: 'problems' } & ProblemList)
  | { readonly kind: 'refused'; readonly file: string; readonly error: ApiError };

export const outcome = signal<Outcome | null>(null);
export const imported = signal<GatewayImport | null>(null);

const attempt = async (file: string, work: () => Promise<Outcome | null>): Promise<void> => {
  if (busyFile.peek() !== null) return;
  busyFile.value = file;
  outcome.value = null;
  try {
    outcome.value = await work();
  } catch (thrown) {
    const error = thrown as ApiError;
    const problems = problemsOf(file, error);
    outcome.value = problems ? { kind: 'problems', ...problems } : { kind: 'refused', file, error };
  } finally {
    busyFile.value = null;
  }
};

export const validate = (file: string): Promise<void> =>
  attempt(file, async () => {
    const validation = await call('gateway.validate', { file }, { limitMs: projectMs });
    return { kind: 'valid', file, validation };
  });

/** An empty name uses the project ID. */
export const load = (file: string, name = ''): Promise<void> =>
  attempt(file, async () => {
    const body = { file, ...(name === '' ? {} : { instance: name }) };
    const { instance } = await call('gateway.load', body, { limitMs: projectMs });
    await gateways.refresh();
    // Loading takes a while: a user on another page stays there.
    if (currentPage.peek().id === 'instances') chooseInstance(instance);
    else rememberInstance(instance);
    return null;
  });

export const loadAsNamed = async (file: string): Promise<void> => {
  const typed = wantedName.peek();
  await load(file, typed.trim());
  // Kept after an error, or if the text changed in the meantime.
  if (outcome.peek() === null && wantedName.peek() === typed) wantedName.value = '';
};
