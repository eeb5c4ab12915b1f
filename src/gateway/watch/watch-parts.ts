import { stringifyJson } from '../../base/json/stringify-json.ts';
import { FaultEvents, type SelectorOfSlot } from '../image/fault-events.ts';
import { FaultRules } from '../image/fault-page.ts';
import type { GatewayFault } from '../image/fault-record.ts';
import { StateReader } from '../image/image-state.ts';
import { signalStateTable } from '../image/image-tables.ts';
import type { GatewayTask } from '../instances/instance-record.ts';
import type { SharedInstance } from '../instances/instance-registry.ts';
import type { InstanceView } from '../instances/instance-view.ts';
import { type Changes, RecordChanges, type RecordSource } from './record-changes.ts';
import type { ObservedTimes, WatchPart } from './watch-record.ts';

/** Maximum watched tasks and rules. Pages list the others. */
export const maxWatched = 2000;
const timesPerBatch = 512;
/** Maximum signals with watched observation times. */
const maxTimes = 64 * 1024;

const taskSource = (view: () => InstanceView): RecordSource<GatewayTask> => ({
  count: Math.min(view().taskCount, maxWatched),
  atOnce: 50,
  read: (first, count) => view().tasks(view().taskPage(first, count)),
});

const faultSource = ({ image }: SharedInstance): RecordSource<GatewayFault> => {
  const rules = new FaultRules(image);
  return {
    count: Math.min(rules.count, maxWatched),
    atOnce: 100,
    read: (first, count) => rules.entries(first, count)(),
  };
};

/** Observation times change even if values do not. One record covers several hundred signals. */
const timeSource = (
  { image }: SharedInstance,
  { signalCount }: InstanceView,
): RecordSource<ObservedTimes> => {
  const { observedUs } = signalStateTable.open(image.state.signals);
  const state = new StateReader(image);
  const reported = Math.min(signalCount, maxTimes);
  return {
    count: Math.ceil(reported / timesPerBatch),
    atOnce: 8,
    *read(first, count) {
      for (let block = first; block < first + count; block++) {
        const start = block * timesPerBatch;
        let times = new Float64Array();
        state.read(() => {
          times = observedUs.slice(start, Math.min(start + timesPerBatch, reported));
        });
        yield {
          first: start,
          observed_us: Array.from(times, (us) => (Number.isNaN(us) ? null : us)),
        };
      }
    },
  };
};

/** Fault events. The index of an event is its sequence − 1. */
class FaultEventChanges implements Changes {
  readonly #events: FaultEvents;

  constructor(events: FaultEvents) {
    this.#events = events;
  }

  get count(): number {
    return this.#events.newest;
  }

  get mark(): number {
    return this.#events.changes;
  }

  begin(): void {}

  goOn(): void {
    this.#events.refresh();
  }

  textAt(place: number): string {
    return stringifyJson(this.#events.event(place + 1));
  }

  nextChanged(from: number, since: number): number {
    const { count } = this;
    let place = Math.max(from, this.#events.oldest - 1);
    while (place < count && this.#events.changeOf(place + 1) <= since) place += 1;
    return place;
  }
}

export const openParts = (
  instance: SharedInstance,
  view: () => InstanceView,
  selectorOf: SelectorOfSlot,
): Readonly<Record<WatchPart, Changes>> => ({
  tasks: new RecordChanges(taskSource(view)),
  faults: new RecordChanges(faultSource(instance)),
  fault_events: new FaultEventChanges(new FaultEvents(instance.image, selectorOf)),
  observed: new RecordChanges(timeSource(instance, view())),
});
