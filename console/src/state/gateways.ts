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

/** What the service tells of all gateway instances. */
export const gateways = resource<GatewayNews>(
  async () => ({ gateways: (await call('health')).gateway.instances }),
  'gateway.status',
);

/** Every page shows which faults are switched on: the instances are followed whichever is in front. */
export const watchInstances = (): (() => void) => gateways.use(true);

const list = signal<readonly GatewaySummary[] | null>(null);
gateways.data.subscribe((answer) => {
  if (!answer) return;
  const { gateways: reported } = answer;
  const known = list.peek();
  // One that was unloaded before the console was opened is of no concern any more.
  const isThere = reported.some(({ instance }) => instance === lastChosen.peek());
  if (known === null && !isThere) lastChosen.value = null;
  if (known === null || !same(reported, known)) list.value = reported;
});

/** The gateway instances that there are; null before the first answer. */
export const instances = computed(() => list.value);

/** Those that have fault rules switched on: frames are being spoilt on purpose. */
export const faultyInstances = computed(
  () => list.value?.filter(({ enabled_faults }) => enabled_faults > 0) ?? [],
);

/** Whether a page shows one instance, which its address names. */
const isOfGateway = (id: string): boolean =>
  pages.some((page) => page.id === id && page.group === 'Gateway');

/** The instance that the pages of the gateway show: the one in the address, else the last one, else the first. */
export const chosenInstance = computed(() => {
  const named = isOfGateway(currentPage.value.id) ? pageQuery.value.get('instance') : null;
  return named ?? lastChosen.value ?? list.value?.[0]?.instance ?? null;
});

chosenInstance.subscribe((name) => {
  if (name === null) return;
  lastChosen.value = name;
  kept.set(name);
});

/** The one that pages of the gateway show from now on, unless their address names another. */
export const rememberInstance = (name: string): void => {
  lastChosen.value = name;
};

/** Shows an instance, on the page in front or another one. */
export const chooseInstance = (name: string, page: string = currentPage.peek().id): void => {
  rememberInstance(name);
  const isInFront = page === currentPage.peek().id;
  goTo(page, { ...(isInFront ? Object.fromEntries(pageQuery.peek()) : {}), instance: name });
};
