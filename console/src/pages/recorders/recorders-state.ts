import { computed, signal } from '@preact/signals';
import { call } from '../../api/client.ts';
import { act } from '../../forms/act.ts';
import { resource } from '../../state/resource.ts';

export const recorders = resource(() => call('recorder.list'), 'recorder.list');

export const task = signal<'show' | 'add' | 'edit'>('show');

const picked = signal<string | null>(null);

export const pickRecorder = (name: string): void => {
  picked.value = name;
  task.value = 'show';
};

/** Null if the selected recorder is gone. */
export const chosen = computed(() => {
  const listed = recorders.data.value?.recorders ?? [];
  return listed.find(({ name }) => name === (picked.value ?? listed[0]?.name)) ?? null;
});

const verbs = {
  start: 'recorder.start',
  stop: 'recorder.stop',
  remove: 'recorder.remove',
} as const;

/** A stopped recorder completes its file first. */
const limitMs = 15_000;

/** The recorder of the last action, whose error is shown with it. */
export const controlled = signal<string | null>(null);

export const control = act(async (name: string, verb: keyof typeof verbs) => {
  controlled.value = name;
  try {
    await call(verbs[verb], { name }, { limitMs });
    if (verb === 'remove') picked.value = null;
  } finally {
    await recorders.refresh();
  }
});

export const isActive = ({ state }: { readonly state: string }): boolean =>
  state === 'armed' || state === 'running' || state === 'waiting';
