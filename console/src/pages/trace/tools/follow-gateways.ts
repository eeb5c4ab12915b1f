import { effect } from '@preact/signals';
import { call, type GatewayInstance } from '../../../api/client.ts';
import { channels } from '../../../state/bench.ts';
import { isServed } from '../../../state/connection.ts';
import { instances } from '../../../state/gateways.ts';
import { isShown } from '../../../state/pages.ts';
import { serviceNowUs } from '../../../state/service-clock.ts';
import type { GatewayMessage } from '../../../trace-core/message-names.ts';
import { failingChecks, gatewayMessages, withFailing } from '../fault-marks.ts';

const pageSize = 5000;
/** The first page of a large project takes about as long as loading it. */
const limitMs = 15_000;
const pollMs = 1000;

type MessageNode = Pick<GatewayMessage, 'name' | 'id' | 'extended' | 'protection'> & {
  readonly endpoint: string;
};

/** Extended identifiers have eight digits. */
const extendedDigits = 8;

/** CAN messages of an instance. Its graph begins with endpoints and messages. */
const readMessages = async (instance: string): Promise<readonly MessageNode[]> => {
  const found: MessageNode[] = [];
  for (let offset = 0; ; ) {
    const input = { instance, offset, limit: pageSize };
    const page = await call('gateway.graph', input, { limitMs });
    for (const element of page.elements) {
      if (element.group !== 'nodes') return found;
      const { kind, row: name, endpoint, detail, protection } = element;
      if (kind === 'endpoint') continue;
      if (kind !== 'message' || endpoint === null) return found;
      const extended = detail.length === extendedDigits;
      const id = Number.parseInt(detail, 16);
      found.push({ name, endpoint, id, extended, protection });
    }
    offset = page.element_next_offset;
    if (page.elements.length === 0 || offset >= page.element_total) return found;
  }
};

const statusOf = async (instance: string): Promise<GatewayInstance> =>
  (await call('gateway.status', { instance })) as GatewayInstance;

const openSlots = (): ReadonlyMap<string, number> =>
  new Map(channels.data.peek()?.channels.map(({ selector, slot }) => [selector, slot]));

/** Messages of an instance on the channels that its endpoints use. */
const messagesOf = async (instance: string): Promise<readonly GatewayMessage[]> => {
  const messages = await readMessages(instance);
  const { endpoints } = await statusOf(instance);
  const slots = openSlots();
  const slotOf = new Map(
    endpoints.flatMap(({ id, resolved }) => {
      const slot = resolved === null ? undefined : slots.get(resolved);
      return slot === undefined ? [] : [[id, slot] as const];
    }),
  );
  return messages.flatMap(({ endpoint, ...message }) => {
    const slot = slotOf.get(endpoint);
    return slot === undefined ? [] : [{ ...message, instance, slot }];
  });
};

const readFailing = async (instance: string): Promise<void> => {
  const { failed_check_messages: failed } = await statusOf(instance);
  const own = gatewayMessages
    .peek()
    .filter((message) => message.instance === instance && message.untilUs === undefined);
  const messages = own.filter(
    ({ name, protection }) => protection?.settings === null && failed.includes(name),
  );
  failingChecks.value = withFailing(failingChecks.peek(), instance, messages, serviceNowUs());
};

/** Reads the messages of running instances, and polls checks by plugins of those
 * that are degraded. */
export const followGateways = (): (() => void) => {
  const known = new Map<string, number>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const learn = async (instance: string, loadedAtUs: number): Promise<void> => {
    known.set(instance, loadedAtUs);
    try {
      const messages = await messagesOf(instance);
      // Stopped, or loaded again, meanwhile.
      if (known.get(instance) !== loadedAtUs) return;
      const others = gatewayMessages.peek().filter((message) => message.instance !== instance);
      gatewayMessages.value = [...others, ...messages];
    } catch {
      // Read again with the next change of the instances.
      if (known.get(instance) === loadedAtUs) known.delete(instance);
    }
  };
  /** Marks on the frames that were received before stay. */
  const endChecks = (instance: string): void => {
    known.delete(instance);
    const untilUs = serviceNowUs();
    gatewayMessages.value = gatewayMessages
      .peek()
      .map((message) => (message.instance === instance ? { ...message, untilUs } : message));
    failingChecks.value = withFailing(failingChecks.peek(), instance, [], untilUs);
  };
  const stop = effect(() => {
    clearInterval(timer);
    if (!isServed.value || !isShown('trace') || !channels.data.value) return;
    const running = (instances.value ?? []).filter(({ state }) => state === 'running');
    const names = new Set(running.map(({ instance }) => instance));
    for (const instance of [...known.keys()]) if (!names.has(instance)) endChecks(instance);
    for (const { instance, loaded_at_us } of running) {
      if (known.get(instance) !== loaded_at_us) void learn(instance, loaded_at_us);
    }
    const degraded = running.filter(({ health }) => health === 'degraded');
    const poll = (): void => {
      for (const { instance } of degraded) readFailing(instance).catch(() => {});
    };
    for (const { instance } of running) {
      if (degraded.some((each) => each.instance === instance)) continue;
      failingChecks.value = withFailing(failingChecks.peek(), instance, [], serviceNowUs());
    }
    if (degraded.length === 0) return;
    poll();
    timer = setInterval(poll, pollMs);
  });
  return () => {
    stop();
    clearInterval(timer);
  };
};
