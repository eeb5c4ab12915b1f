import { cursorExpired, invalidArgument } from '../../base/errors/busbar-error.ts';
import { ListPage } from '../../base/json/list-page.ts';
import { FaultEvents, type SelectorOfSlot } from '../image/fault-events.ts';
import { FaultRules } from '../image/fault-page.ts';
import type { GatewayInstance } from './instance-record.ts';
import type { SharedInstance } from './instance-registry.ts';
import { InstanceView } from './instance-view.ts';
import type {
  GatewayFaultHistory,
  GatewayFaultPage,
  GatewayInstanceList,
  GatewaySignalPage,
} from './page-records.ts';

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

export interface HistoryRange {
  readonly after: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** Reserved for other fields: 256 endpoints with the longest names. */
const summaryBytes = 1024 * 1024;

type InstancePage = (instance: SharedInstance, range: PageRange) => ListPage;

export const instancePage: InstancePage = (instance, { offset, limit, maxBytes }) => {
  const view = new InstanceView(instance);
  const first = Math.min(offset, view.taskCount);
  const page = view.taskPage(first, limit);
  return new ListPage({
    list: 'tasks',
    maxBytes: maxBytes - summaryBytes,
    items: () => view.tasks(page),
    before: (count) => view.summary(page, offset, count),
  });
};

export const refuseRange = (given: ReadonlySet<string>): void => {
  const field = ['offset', 'limit'].find((name) => given.has(name));
  if (field === undefined) return;
  throw invalidArgument(field, `${field} applies to one instance: name the instance`);
};

export const instanceStatus = (instance: SharedInstance, tasks = 0): GatewayInstance => {
  const view = new InstanceView(instance);
  const page = view.taskPage(0, tasks);
  return { ...view.summary(page, 0, page.count), tasks: [...view.tasks(page)] };
};

export const instanceList = (instances: readonly SharedInstance[]): GatewayInstanceList => ({
  gateways: instances.map((instance) => ({ ...instanceStatus(instance), endpoints: [] })),
});

export const faultPage: InstancePage = (instance, { offset, limit, maxBytes }) => {
  const rules = new FaultRules(instance.image);
  const first = Math.min(offset, rules.count);
  return new ListPage({
    list: 'faults',
    maxBytes,
    items: rules.entries(first, limit),
    before: (count): Omit<GatewayFaultPage, 'faults'> => ({
      instance: instance.name,
      state: instance.state,
      fault_total: rules.count,
      fault_offset: offset,
      fault_next_offset: first + count,
    }),
  });
};

export const faultEventPage = (
  { name, state, image }: SharedInstance,
  { after, limit, maxBytes }: HistoryRange,
  selectorOf: SelectorOfSlot,
): ListPage => {
  const events = new FaultEvents(image, selectorOf).refresh();
  const { oldest, newest } = events;
  const bounds = { oldest_available: oldest, newest_available: newest };
  if (after > newest || (after > 0 && after < oldest - 1)) {
    const kept = { oldestAvailable: oldest, newestAvailable: newest };
    throw cursorExpired('fault event', after, kept);
  }
  const first = Math.max(after + 1, oldest);
  const items = function* () {
    const end = Math.min(newest, first + limit - 1);
    for (let sequence = first; sequence <= end; sequence++) yield events.event(sequence);
  };
  return new ListPage({
    list: 'fault_events',
    maxBytes,
    items,
    before: (count): Omit<GatewayFaultHistory, 'fault_events'> => ({
      instance: name,
      state,
      next_after: first + count - 1,
      ...bounds,
    }),
  });
};

export const signalPage: InstancePage = (instance, { offset, limit, maxBytes }) => {
  const view = new InstanceView(instance);
  const first = Math.min(offset, view.signalCount);
  const snapshot = view.signals(first, limit);
  return new ListPage({
    list: 'signals',
    maxBytes,
    items: () => snapshot.entries(),
    before: (count): Omit<GatewaySignalPage, 'signals'> => ({
      instance: instance.name,
      state: instance.state,
      snapshot_version: snapshot.version,
      signal_total: view.signalCount,
      signal_offset: offset,
      signal_next_offset: first + count,
    }),
  });
};
