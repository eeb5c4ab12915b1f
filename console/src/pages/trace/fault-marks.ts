import { computed, effect, signal } from '@preact/signals';
import { eventKindCode, frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { call, type GatewayFaultEvent } from '../../api/client.ts';
import { InstanceStream } from '../../gateway/followed-instance.ts';
import { isServed } from '../../state/connection.ts';
import { faultyInstances, instances } from '../../state/gateways.ts';
import { isShown } from '../../state/pages.ts';
import { serviceNowUs } from '../../state/service-clock.ts';
import { checkMark } from '../../trace-core/frame-chunk.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import type { GatewayMessage } from '../../trace-core/message-names.ts';
import { isFileShown } from '../../trace-files/open-file.ts';
import { FaultLog, type FaultMark } from './fault-log.ts';
import { askTrace, traceStatus } from './trace-client.ts';

const log = new FaultLog();

export const markChanges = signal(0);
/** CAN messages of instances that run or ran. */
export const gatewayMessages = signal<readonly GatewayMessage[]>([]);

/** A message whose end-to-end check by a plugin fails or failed, and when. */
interface FailingCheck extends GatewayMessage {
  readonly fromUs: number;
  /** Infinity while it fails. */
  readonly untilUs: number;
}

export const failingChecks = signal<readonly FailingCheck[]>([]);

const maxChecks = 256;

/** Begins and ends failures of an instance as it reports them. */
export const withFailing = (
  known: readonly FailingCheck[],
  instance: string,
  messages: readonly GatewayMessage[],
  nowUs: number,
): readonly FailingCheck[] => {
  const isOpen = (check: FailingCheck): boolean =>
    check.instance === instance && check.untilUs === Number.POSITIVE_INFINITY;
  const failing = new Set(messages.map(({ name }) => name));
  const open = new Set(known.filter(isOpen).map(({ name }) => name));
  if (failing.size === open.size && messages.every(({ name }) => open.has(name))) return known;
  const ended = known.map((check) =>
    isOpen(check) && !failing.has(check.name) ? { ...check, untilUs: nowUs } : check,
  );
  const begun = messages
    .filter(({ name }) => !open.has(name))
    .map((message) => ({ ...message, fromUs: nowUs, untilUs: Number.POSITIVE_INFINITY }));
  return [...ended, ...begun].slice(-maxChecks);
};

const checkWords: readonly string[] = [
  '',
  'wrong checksum, data ID or length',
  'repeated',
  'out of sequence',
];

type IdentifiedRow = Pick<FrameRow, 'channel' | 'id' | 'flags'>;

export const gatewayMessageOf = ({ channel, id, flags }: IdentifiedRow): GatewayMessage | null => {
  const isExtended = (flags & frameFlag.extended) !== 0;
  const isOf = (each: GatewayMessage): boolean =>
    each.slot === channel && each.id === id && each.extended === isExtended;
  return gatewayMessages.value.find(isOf) ?? null;
};

/** What the end-to-end check of a gateway found in a frame. */
const checkedTexts = (row: IdentifiedRow & Pick<FrameRow, 'check'>): readonly string[] => {
  if (row.check === checkMark.none) return [];
  const message = gatewayMessageOf(row);
  const name = message ? ` of ${message.instance}/${message.name}` : '';
  return [`▲ E2E check${name}: ${checkWords[row.check]}`];
};

const pluginTexts = ({
  kind,
  channel,
  id,
  flags,
  timestampUs: us,
}: FrameRow): readonly string[] => {
  if (!hasFaults.value || kind !== eventKindCode.rx_frame) return [];
  const isExtended = (flags & frameFlag.extended) !== 0;
  return failingChecks.value
    .filter(
      (check) =>
        check.slot === channel &&
        check.id === id &&
        check.extended === isExtended &&
        us >= check.fromUs &&
        us < check.untilUs,
    )
    .map(({ instance, name }) => `▲ E2E check of ${instance}/${name} fails`);
};

export const checkTexts = (row: FrameRow): readonly string[] => [
  ...checkedTexts(row),
  ...pluginTexts(row),
];

export const hasFaults = computed(
  () =>
    !isFileShown.value &&
    (markChanges.value > 0 || failingChecks.value.length > 0 || traceStatus.value.failedChecks > 0),
);

export const faultMarks = ({ eventId }: Pick<FrameRow, 'eventId'>): readonly FaultMark[] =>
  hasFaults.value ? log.marksOf(eventId) : [];

const effects: Readonly<Record<GatewayFaultEvent['effect'], string>> = {
  injected: 'corrupted',
  unprotected: 'unprotected',
  repeated: 'repeated',
  dropped: 'not sent',
  suppressed: 'not sent',
  conflict: 'fault rules in conflict',
};

/** What fault rules did to a frame, and whether its check fails, in words. */
export const faultTexts = (row: FrameRow): readonly string[] => [
  ...faultMarks(row).map(({ effect, kind, rule }) => `▲ ${effects[effect]}: ${kind} by ${rule}`),
  ...checkTexts(row),
];

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
    if (!isServed.value || !isShown('trace')) {
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
