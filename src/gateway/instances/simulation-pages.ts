import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { ListPage } from '../../base/json/list-page.ts';
import type { RefusedSend } from '../../drivers/send-result.ts';
import { lastErrorOf } from '../../transmit/last-error.ts';
import { TaskPage } from '../image/task-page.ts';
import { payloadOf, type SimulationManifest } from '../simulation/manifest.ts';
import type { SimulationRecord } from '../simulation/simulation-record.ts';
import type { TaskError } from '../values/task-error.ts';
import type { PageRange } from './instance-pages.ts';
import type { SharedInstance } from './instance-registry.ts';

export interface PageSize {
  readonly default: number;
  readonly maximum: number;
}

export interface RangeArguments {
  readonly offset: number;
  readonly limit?: number | undefined;
}

/** Resolves the requested range. A page holds fewer messages than tasks. */
export const rangeOf = ({ offset, limit }: RangeArguments, page: PageSize) => {
  const { maximum } = page;
  if (limit === undefined || limit <= maximum) return { offset, limit: limit ?? page.default };
  throw invalidArgument('limit', `limit must be at most ${maximum} for messages of a manifest`, {
    reason: 'out_of_range',
    max: maximum,
  });
};

const refusals: Partial<Record<TaskError, RefusedSend>> = {
  queue_full: 'full',
  bus_off: 'bus_off',
  listen_only: 'listen_only',
  device_lost: 'lost',
  unpowered: 'unpowered',
  not_on_bus: 'not_on_bus',
};

/** A generated frame is accepted or counts as failed. */
const countsOf = ({ accepted, generated, missed }: TaskPage['totals']) => ({
  sent: accepted,
  failed: generated - accepted,
  missed,
});

export const simulationRecord = (
  { name, file, state, endedBy, chargedBytes, daemonBytes, image, endpoints }: SharedInstance,
  { offset, limit }: Pick<PageRange, 'offset' | 'limit'>,
): SimulationRecord => {
  const manifest: SimulationManifest = JSON.parse(Buffer.from(image.text).toString());
  const { channel, messages } = manifest;
  const first = Math.min(offset, messages.length);
  const shown = messages.slice(first, first + limit);
  const page = new TaskPage(image, first, shown.length);
  return {
    name,
    file,
    channel,
    resolved: endpoints[0]?.resolved ?? null,
    state: state === 'stopping' ? 'stopped' : state,
    error: endedBy,
    ...countsOf(page.totals),
    memory_budget_bytes: chargedBytes,
    daemon_memory_budget_bytes: daemonBytes,
    message_total: messages.length,
    message_offset: offset,
    message_next_offset: first + shown.length,
    messages: shown.map((message, place) => {
      const { id, extended, period_ms } = message;
      const task = page.task(place);
      const refusal = page.refusal(place);
      return {
        ...{ id, extended, data: payloadOf(message), period_ms },
        ...countsOf(task),
        max_lateness_us: task.max_lateness_us,
        last_error: lastErrorOf(refusal === null ? undefined : refusals[refusal]),
      };
    }),
  };
};

export const simulationPage = (instance: SharedInstance, range: PageRange): ListPage => {
  const { messages, ...rest } = simulationRecord(instance, range);
  const { maxBytes } = range;
  return new ListPage({ list: 'messages', maxBytes, items: () => messages, before: () => rest });
};

export const simulationList = (instances: readonly SharedInstance[]) => ({
  simulations: instances.map((instance) => simulationRecord(instance, { offset: 0, limit: 0 })),
});
