import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { FaultLog } from '../engine/fault-log.ts';
import { RoundTime } from '../engine/signal-states.ts';
import { buildImage } from '../image/build-image.ts';
import { ImageReader } from '../image/image-reader.ts';
import { changeOfSet } from '../image/set-signal.ts';
import type { GatewayInstance, GatewaySignal } from '../instances/instance-record.ts';
import { InstanceRegistry } from '../instances/instance-registry.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { InstanceWatches, type WatchSink } from './instance-watches.ts';
import type { WatchItem } from './watch-cursor.ts';
import type { WatchEvent, WatchPart } from './watch-record.ts';

/** A client that accepts this many signals per portion, and records them. */
class TestClient implements WatchSink {
  readonly kind = 'sse';
  isReady = true;
  parts: WatchPart[] = [];
  portionSize = 1000;
  readonly log: string[] = [];
  readonly statuses: GatewayInstance[] = [];
  readonly reported: Record<string, unknown>[] = [];
  readonly #counts = new Map<WatchEvent, number>();
  #portion: string[] = [];

  item(item: WatchItem, event: WatchEvent): boolean {
    if (event === 'status') {
      this.statuses.push(item as GatewayInstance);
      this.log.push('status');
      return true;
    }
    if (event === 'signals') {
      const { id, value } = item as GatewaySignal;
      this.#portion.push(`${id}=${value}`);
      return this.#portion.length < this.portionSize;
    }
    this.#counts.set(event, (this.#counts.get(event) ?? 0) + 1);
    this.reported.push(JSON.parse(item as string));
    return true;
  }

  flush(): void {
    if (this.#portion.length > 0) this.log.push(this.#portion.join(' '));
    this.#portion = [];
    for (const [part, count] of this.#counts) this.log.push(`${part} ${count}`);
    this.#counts.clear();
  }

  end(reason: string): void {
    this.log.push(`end ${reason}`);
  }

  /** Events since the last call. */
  take(): string[] {
    return this.log.splice(0);
  }
}

const setUp = () => {
  const project = coolantProject();
  project.signals[2].producer = 'software';
  project.fault_rules = [{ id: 'quiet', task: 'PumpCommand', kind: 'drop' }];
  const image = buildImage(readLoose(project).toProject());
  const registry = new InstanceRegistry();
  registry.commit(registry.reserve('a'), 'a.gwproj', image);
  const clock = new FakeClock();
  const defects: unknown[] = [];
  let questions = 0;
  const watches = new InstanceWatches({
    clock,
    host: {
      instance: async (name) => {
        questions += 1;
        return registry.get(name);
      },
    },
    selectorOf: (slot) => `SIM/${slot}`,
    onDefect: (thrown) => defects.push(thrown),
  });
  const reader = new ImageReader(image);
  const set = (value: string): void => {
    const change = changeOfSet(reader, 'pump', value, clock.unixUs());
    registry.instance('a').writer.apply(change);
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const passMs = async (ms: number): Promise<void> => {
    clock.advanceUs(ms * 1000);
    await settle();
  };
  const follow = async (client = new TestClient()) => {
    const subscription = await watches.watch('a', client.parts, client);
    return { client, subscription };
  };
  const log = new FaultLog(image, clock.unixOffsetUs, new RoundTime(), () => 4);
  return { registry, clock, watches, set, passMs, follow, defects, log, asked: () => questions };
};

const initial = 'coolant=20 coolant_f=null pump=0';

describe('following an instance', () => {
  it('begins with its status and all signals, and goes on with those that change', async () => {
    const { follow, set, passMs } = setUp();
    const { client, subscription } = await follow();
    expect(client.take()).toEqual([]);
    subscription.resume();
    expect(client.take()).toEqual(['status', initial]);
    await passMs(500);
    expect(client.take()).toEqual([]);
    set('55');
    await passMs(50);
    expect(client.take()).toEqual(['pump=55']);
  });

  it('tells the latest of several changes, twenty times a second at most', async () => {
    const { follow, set, passMs } = setUp();
    const { client, subscription } = await follow();
    subscription.resume();
    client.take();
    for (let ms = 1; ms <= 900; ms++) {
      set(String(ms));
      await passMs(1);
    }
    const portions = client.take();
    expect(portions).toHaveLength(18);
    expect(portions.at(-1)).toBe('pump=900');
  });

  it('tells the status once a second', async () => {
    const { follow, passMs, registry } = setUp();
    const { client, subscription } = await follow();
    subscription.resume();
    client.take();
    for (let second = 0; second < 3; second++) {
      await passMs(999);
      await passMs(1);
    }
    expect(client.take()).toEqual(['status', 'status', 'status']);
    expect(client.statuses.at(-1)).toMatchObject({
      instance: 'a',
      state: 'loaded',
      task_total: 1,
      tasks: [],
      endpoint_total: 2,
      daemon_memory_budget_bytes: registry.chargedBytes,
    });
  });

  it('gives a client that was not ready the latest state only, once it is', async () => {
    const { follow, set, passMs } = setUp();
    const { client, subscription } = await follow();
    subscription.resume();
    client.take();
    client.isReady = false;
    for (let ms = 1; ms <= 3000; ms += 100) {
      set(String(ms));
      await passMs(100);
    }
    expect(client.take()).toEqual([]);
    client.isReady = true;
    subscription.resume();
    await passMs(50);
    expect(client.take()).toEqual(['status', 'pump=2901']);
  });

  it('goes on in the middle of a pass, and tells what changed behind it in the next', async () => {
    const { follow, set, passMs } = setUp();
    const stalled = new TestClient();
    stalled.portionSize = 1;
    const { client, subscription } = await follow(stalled);
    client.flush = () => {
      TestClient.prototype.flush.call(client);
      client.isReady = false;
    };
    subscription.resume();
    expect(client.take()).toEqual(['status', 'coolant=20']);
    set('7');
    await passMs(50);
    client.isReady = true;
    subscription.resume();
    client.isReady = true;
    subscription.resume();
    expect(client.take()).toEqual(['coolant_f=null', 'pump=7']);
    client.isReady = true;
    await passMs(50);
    // The entry was already new; it is reported twice rather than never.
    expect(client.take()).toEqual(['pump=7']);
    client.isReady = true;
    await passMs(500);
    expect(client.take()).toEqual([]);
  });

  it('is shared by clients, each of which gets everything', async () => {
    const { follow, set, passMs, asked } = setUp();
    const first = await follow();
    first.subscription.resume();
    set('1');
    await passMs(50);
    const second = await follow();
    second.subscription.resume();
    set('2');
    await passMs(50);
    expect(first.client.take()).toEqual(['status', initial, 'pump=1', 'pump=2']);
    expect(second.client.take()).toEqual(['status', 'coolant=20 coolant_f=null pump=1', 'pump=2']);
    const before = asked();
    await passMs(1000);
    expect(asked()).toBe(before + 1);
  });

  it('ends when the instance is unloaded, also where another takes its name', async () => {
    const { follow, watches, registry, passMs, clock } = setUp();
    const first = await follow();
    first.subscription.resume();
    first.client.take();
    const { serial, image } = registry.get('a');
    watches.unloaded(serial);
    expect(first.client.take()).toEqual(['end unloaded']);
    expect(clock.pendingTimers).toBe(0);
    const second = await follow();
    second.subscription.resume();
    second.client.take();
    registry.unload('a');
    registry.commit(registry.reserve('a'), 'a.gwproj', image);
    await passMs(1000);
    expect(second.client.take()).toEqual(['end unloaded']);
    const third = await follow();
    third.subscription.resume();
    third.client.take();
    registry.unload('a');
    await passMs(1000);
    expect(third.client.take()).toEqual(['end unloaded']);
  });

  it('tells tasks and times that a client wants, and once a second those that have changed', async () => {
    const { follow, set, passMs, clock } = setUp();
    const wanting = new TestClient();
    wanting.parts = ['tasks', 'faults', 'observed'];
    const { client, subscription } = await follow(wanting);
    subscription.resume();
    client.take();
    await passMs(50);
    expect(client.take()).toEqual(['tasks 1', 'faults 1', 'observed 1']);
    expect(client.reported).toMatchObject([
      { id: 'PumpCommand', sent: 0, state: 'loaded' },
      { id: 'quiet', fired: 0 },
      { first: 0, observed_us: [null, null, null] },
    ]);
    set('0');
    const setUs = clock.unixUs();
    // The same value observed again: only its time has changed.
    for (let looks = 0; looks < 21; looks++) await passMs(50);
    expect(client.take().filter((line) => line.startsWith('observed'))).toEqual(['observed 1']);
    expect(client.reported.at(-1)).toEqual({ first: 0, observed_us: [null, null, setUs] });
  });

  it('tells fault events that are kept, then new ones at each look, and again once they are complete', async () => {
    const { follow, passMs, log } = setUp();
    const wanting = new TestClient();
    wanting.parts = ['fault_events'];
    const frame = Uint8Array.of(0x55, 0);
    const reported = () =>
      client.reported.splice(0).map(({ sequence, event_id }) => [sequence, event_id]);
    for (let event = 0; event < 1030; event++) log.add(0, 0, 'injected', frame);
    const { client, subscription } = await follow(wanting);
    subscription.resume();
    await passMs(50);
    expect(client.reported[0]).toMatchObject({
      rule: 'quiet',
      channel: 4,
      selector: 'SIM/4',
      id: 512,
    });
    const kept = reported();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1024, [7, null], [1030, null]]);
    log.add(0, 0, 'dropped', frame);
    await passMs(50);
    expect(reported()).toEqual([[1031, null]]);
    log.complete(1029, 2, 900);
    await passMs(50);
    expect(reported()).toEqual([
      [1029, 900],
      [1030, 900],
    ]);
    await passMs(1000);
    expect(reported()).toEqual([]);
  });

  it('refuses an instance that is not there', async () => {
    const { watches } = setUp();
    await expect(watches.watch('b', [], new TestClient())).rejects.toMatchObject({
      code: 'instance_not_found',
    });
  });

  it('leaves nothing behind when the last client has left', async () => {
    const { follow, clock, passMs } = setUp();
    const { client, subscription } = await follow();
    subscription.resume();
    client.take();
    subscription.close();
    expect(clock.pendingTimers).toBe(0);
    await passMs(5000);
    subscription.resume();
    expect(client.take()).toEqual([]);
  });

  it('ends with the service, and what comes afterwards too', async () => {
    const { follow, watches } = setUp();
    const { client } = await follow();
    watches.close();
    expect(client.take()).toEqual(['end shut_down']);
    const late = await follow();
    expect(late.client.take()).toEqual(['end shut_down']);
  });

  it('loses a client that fails, and no other', async () => {
    const { follow, defects, set, passMs } = setUp();
    const broken = await follow();
    const sound = await follow();
    broken.subscription.resume();
    sound.subscription.resume();
    broken.client.item = () => {
      throw new Error('broken');
    };
    broken.client.take();
    sound.client.take();
    set('3');
    await passMs(50);
    expect(defects).toHaveLength(1);
    expect(broken.client.take()).toEqual(['end shut_down']);
    expect(sound.client.take()).toEqual(['pump=3']);
  });
});
