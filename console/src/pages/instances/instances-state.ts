import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type GatewayImport, type GatewayValidation } from '../../api/client.ts';
import { projectMs } from '../../gateway/actions.ts';
import { chooseInstance, gateways, rememberInstance } from '../../state/gateways.ts';
import { isShown } from '../../state/pages.ts';
import { type ProblemList, problemsOf } from './problems.ts';

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
    if (isShown('instances')) chooseInstance(instance, 'instances');
    else rememberInstance(instance);
    return null;
  });

export const loadAsNamed = async (file: string): Promise<void> => {
  const typed = wantedName.peek();
  await load(file, typed.trim());
  // Kept after an error, or if the text changed in the meantime.
  if (outcome.peek() === null && wantedName.peek() === typed) wantedName.value = '';
};
