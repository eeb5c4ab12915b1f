import { computed, effect, signal } from '@preact/signals';
import { call, type GatewayFaultEvent } from '../../api/client.ts';
import { InstanceStream } from '../../gateway/followed-instance.ts';
import { isServed } from '../../state/connection.ts';
import { faultyInstances, instances } from '../../state/gateways.ts';
import { pageId } from '../../state/pages.ts';
import { serviceNowUs } from '../../state/service-clock.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import { FaultLog, type FaultMark } from './fault-log.ts';
import { askTrace } from './trace-client.ts';

const log = new FaultLog();

export const markChanges = signal(0);
export const hasMarks = computed(() => markChanges.value > 0);

export const faultMarks = ({ eventId }: Pick<FrameRow, 'eventId'>): readonly FaultMark[] =>
  log.marksOf(eventId);

export const faultText = (row: FrameRow): string =>
  faultMarks(row)
    .map(({ kind, rule }) => `▲ ${kind} ${rule}`)
    .join(', ');

const take = (instance: string, events: readonly GatewayFaultEvent[], sinceUs: number): void => {
  const dropped = log.take(instance, events, sinceUs);
  if (dropped.length > 0) askTrace({ type: 'dropped', events: [...dropped] });
  if (events.length > 0) markChanges.value += 1;
};

const readKept = async (instance: string, sinceUs: number): Promise<void> => {
  for (let after = 0; ; ) {
    const page = await call('gateway.fault-events', { instance, after });
    take(instance, page.fault_events, sinceUs);
    after = page.next_after;
    if (page.fault_events.length === 0 || after >= page.newest_available) return;
  }
};

const follow = (instance: string, sinceUs: number): InstanceStream => {
  const feed = new InstanceStream({
    instance,
    onPiece: ({ event, data }) => {
      if (event !== 'fault_events') return;
      take(instance, (JSON.parse(data) as { fault_events: GatewayFaultEvent[] })[event], sinceUs);
    },
  });
  feed.start();
  return feed;
};

/**
 * Marks faults while the trace is shown. An instance without enabled rules is only read once: its
 * rules may have fired before, also while the page was left or the service was away.
 */
export const followFaults = (): (() => void) => {
  const since = new Map<string, number>();
  const feeds = new Map<string, InstanceStream>();
  const known = new Set<string>();
  const stopAll = (): void => {
    for (const feed of feeds.values()) feed.stop();
    feeds.clear();
    known.clear();
  };
  const stop = effect(() => {
    if (!isServed.value || pageId.value !== 'trace') {
      stopAll();
      return;
    }
    const faulty = new Set(faultyInstances.value.map(({ instance }) => instance));
    for (const { instance } of instances.value ?? []) {
      const sinceUs = since.get(instance) ?? serviceNowUs();
      since.set(instance, sinceUs);
      const feed = feeds.get(instance);
      // A feed continues after the last rule is switched off, because events can follow. One that
      // was rejected may be admitted now.
      if (feed) feed.start();
      else if (faulty.has(instance)) feeds.set(instance, follow(instance, sinceUs));
      else if (!known.has(instance)) readKept(instance, sinceUs).catch(() => {});
      known.add(instance);
    }
    for (const [name, feed] of feeds) {
      if (instances.value?.some(({ instance }) => instance === name) !== false) continue;
      feed.stop();
      feeds.delete(name);
    }
  });
  return () => {
    stop();
    stopAll();
  };
};
