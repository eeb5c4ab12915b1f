import { computed, signal } from '@preact/signals';
import { call, type GatewaySummary } from '../api/client.ts';
import { remembered } from '../storage/remembered.ts';
import { currentPage, goTo, pageQuery, pages } from './pages.ts';
import { resource } from './resource.ts';

const same = (one: readonly GatewaySummary[], other: readonly GatewaySummary[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const kept = remembered('sessionStorage', 'busbar.gateway.instance');
const lastChosen = signal(kept.get());

interface GatewayNews {
  readonly gateways: readonly GatewaySummary[];
}

export const gateways = resource<GatewayNews>(
  async () => ({ gateways: (await call('health')).gateway.instances }),
  'gateway.status',
);

/** Instances are followed on every page, because each shows the fault banner. */
export const watchInstances = (): (() => void) => gateways.use(true);

const list = signal<readonly GatewaySummary[] | null>(null);
gateways.data.subscribe((answer) => {
  if (!answer) return;
  const { gateways: reported } = answer;
  const known = list.peek();
  // Ignores an instance that was unloaded before the console was opened.
  const isThere = reported.some(({ instance }) => instance === lastChosen.peek());
  if (known === null && !isThere) lastChosen.value = null;
  if (known === null || !same(reported, known)) list.value = reported;
});

export const instances = computed(() => list.value);

export const faultyInstances = computed(
  () => list.value?.filter(({ enabled_faults }) => enabled_faults > 0) ?? [],
);

const isOfGateway = (id: string): boolean =>
  pages.some((page) => page.id === id && page.group === 'Gateway');

/**
 * Instance shown by the gateway pages: from the URL, otherwise the last one, otherwise the first.
 */
export const chosenInstance = computed(() => {
  const named = isOfGateway(currentPage.value.id) ? pageQuery.value.get('instance') : null;
  return named ?? lastChosen.value ?? list.value?.[0]?.instance ?? null;
});

chosenInstance.subscribe((name) => {
  if (name === null) return;
  lastChosen.value = name;
  kept.set(name);
});

export const rememberInstance = (name: string): void => {
  lastChosen.value = name;
};

export const chooseInstance = (name: string, page: string = currentPage.peek().id): void => {
  rememberInstance(name);
  if (page === 'layout') return;
  const isInFront = page === currentPage.peek().id;
  goTo(page, { ...(isInFront ? Object.fromEntries(pageQuery.peek()) : {}), instance: name });
};
