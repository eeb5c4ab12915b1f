import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { sid, subFunctionName } from '../../../../src/diagnostics/services.ts';
import { call, type DiagnosticLink } from '../../api/client.ts';
import { type Resource, resource } from '../../state/resource.ts';
import { remembered } from '../../storage/remembered.ts';

export const links: Resource<{ readonly links: readonly DiagnosticLink[] }> = resource(
  () => call('isotp.list'),
  'isotp.list',
);

const kept = remembered('sessionStorage', 'busbar.diagnostics.ecu');
const picked = signal<string | null>(kept.get());

export const pickEcu = (ecu: string): void => {
  picked.value = ecu;
  kept.set(ecu);
};

/**
 * Null if the selected ECU is gone: a request that was meant for it must not reach another one.
 */
export const chosen: ReadonlySignal<DiagnosticLink | null> = computed(() => {
  const listed = links.data.value?.links ?? [];
  return listed.find(({ ecu }) => ecu === (picked.value ?? listed[0]?.ecu)) ?? null;
});

export const chosenEcu = computed(() => chosen.value?.ecu ?? null);

export const goneEcu = computed(() =>
  links.data.value && picked.value !== null && !chosen.value ? picked.value : null,
);

export const sessionText = (session: number): string => {
  const name = subFunctionName(sid.session, session);
  return name.startsWith('0x') ? String(session) : `${session} ${name}`;
};

export const securityText = (level: number): string => (level === 0 ? 'locked' : `level ${level}`);

export const views = ['identifiers', 'dtcs', 'services', 'flash'] as const;
export type View = (typeof views)[number];

const keptView = remembered('sessionStorage', 'busbar.diagnostics.view');
const isView = (text: string | null): text is View => views.some((each) => each === text);
const storedView = keptView.get();

export const view = signal<View>(isView(storedView) ? storedView : 'identifiers');
export const chooseView = (chosen: View): void => {
  view.value = chosen;
  keptView.set(chosen);
};
