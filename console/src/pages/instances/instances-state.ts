import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type GatewayImport, type GatewayValidation } from '../../api/client.ts';
import { projectMs } from '../../gateway/actions.ts';
import { chooseInstance, gateways, rememberInstance } from '../../state/gateways.ts';
import { currentPage } from '../../state/pages.ts';
import { type ProblemList, problemsOf } from './problems.ts';

/** Whether projects are chosen from, or made of a database. */
export const view = signal<'projects' | 'import'>('projects');
/** What to call the next instance; empty for the id of its project. */
export const wantedName = signal('');
/** The project that something is done with at the moment. */
export const busyFile = signal<string | null>(null);

/** What came of the last thing that was done with a project. */
export type Outcome =
  | { readonly kind: 'valid'; readonly file: string; readonly validation: GatewayValidation }
  | ({ readonly kind: 'problems' } & ProblemList)
  | { readonly kind: 'refused'; readonly file: string; readonly error: ApiError };

export const outcome = signal<Outcome | null>(null);
/** What the last import made. */
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

/** Loads a project as an instance of that name; empty for the id of the project. */
export const load = (file: string, name = ''): Promise<void> =>
  attempt(file, async () => {
    const body = { file, ...(name === '' ? {} : { instance: name }) };
    const { instance } = await call('gateway.load', body, { limitMs: projectMs });
    await gateways.refresh();
    // A large project takes its time: the user may be on another page by now, and stays there.
    if (currentPage.peek().id === 'instances') chooseInstance(instance);
    else rememberInstance(instance);
    return null;
  });

export const loadAsNamed = async (file: string): Promise<void> => {
  const typed = wantedName.peek();
  await load(file, typed.trim());
  // Kept after a refusal, and where something else was typed meanwhile.
  if (outcome.peek() === null && wantedName.peek() === typed) wantedName.value = '';
};
