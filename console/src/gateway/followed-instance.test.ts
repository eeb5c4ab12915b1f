import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayFault, GatewayInstance } from '../api/client.ts';
import { settled } from '../api/testing/settled.ts';
import { stubPage } from '../api/testing/stub-page.ts';
import { FakeSseService, type OpenedStream } from '../streams/testing/fake-sse-service.ts';
import { ratedCounters } from './counter-rates.ts';

let service: FakeSseService;

beforeEach(() => {
  stubPage('#gateway-signals');
  service = new FakeSseService();
  service.shareWorker();
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 0));
});
afterEach(() => service.remove());

const event = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

const statusOf = (loaded_at_us: number, state = 'running'): string =>
  event('status', {
    ...Object.fromEntries(ratedCounters.map((name) => [name, 0])),
    instance: 'a',
    loaded_at_us,
    state,
    endpoints: [],
  });

const signalsOf = (...values: readonly [id: string, value: string][]): string => {
  const signals = values.map(([id, value]) => ({ id, value, observed_us: 5, bindings: [] }));
  return event('signals', { instance: 'a', signals });
};

const follow = async () => {
  const { followedInstance } = await import('./followed-instance.ts');
  const instance = followedInstance('a');
  const leave = instance.use();
  const stream = await service.connection(1);
  await settled(() => instance.state === 'live');
  return { instance, leave, stream };
};

const report = async (
  { send }: OpenedStream,
  arrived: () => boolean,
  ...events: readonly string[]
): Promise<void> => {
  send(...events);
  await settled(arrived);
};

describe('an instance that is followed', () => {
  it('is known by its stream: status, signals, tasks, faults and times', async () => {
    const { instance, leave, stream } = await follow();
    const task = { id: 't', sent: 3 };
    const rule = { id: 'r', enabled: true };
    await report(
      stream,
      () => instance.faults.value.size === 1,
      ...[
        statusOf(1),
        signalsOf(['x', '1'], ['y', '2']),
        event('tasks', { instance: 'a', tasks: [task] }),
      ],
      ...[event('observed', { instance: 'a', observed: [{ first: 0, observed_us: [5, 9] }] })],
      event('faults', { instance: 'a', faults: [rule] }),
    );
    expect(instance.status.value?.state).toBe('running');
    expect(instance.signals.get('y')?.value).toBe('2');
    expect(instance.signals.observedUsAt(1)).toBe(9);
    expect(instance.tasks.value.get('t')).toEqual(task);
    leave();
  });

  it('draws at most once for all that came together', async () => {
    const { instance, leave, stream } = await follow();
    const before = instance.frame.value;
    const news = Array.from({ length: 20 }, (_, at) => signalsOf(['x', String(at)]));
    await report(stream, () => instance.frame.value > before, ...news);
    expect(instance.frame.value).toBe(before + 1);
    expect(instance.signals.get('x')?.value).toBe('19');
    leave();
  });

  it('holds its signals unless it runs', async () => {
    const { instance, leave, stream } = await follow();
    expect(instance.held).toBeNull();
    for (const [state, held] of [
      ['loaded', 'not started'],
      ['running', null],
      ['stopping', 'held since stop'],
      ['stopped', 'held since stop'],
    ] as const) {
      await report(stream, () => instance.status.value?.state === state, statusOf(1, state));
      expect(instance.held).toBe(held);
    }
    leave();
  });

  it('is stale after a loss, goes on by itself, and is forgotten if another took its name', async () => {
    const { instance, leave, stream } = await follow();
    await report(stream, () => instance.signals.count === 1, statusOf(1), signalsOf(['x', '1']));
    stream.end();
    await settled(() => instance.state === 'stale');
    expect(instance.signals.get('x')?.value).toBe('1');
    await settled(() => service.opened.length === 2);
    const again = await service.connection(2);
    await report(
      again,
      () => instance.signals.rowOf('z') === 0,
      statusOf(2),
      signalsOf(['z', '3']),
    );
    expect([instance.signals.count, instance.generation.value]).toEqual([1, 1]);
    leave();
  });

  it('shows what was answered at once, but nothing that is older than its stream', async () => {
    const { instance, leave, stream } = await follow();
    const rule = (enabled: boolean, fired: number) => ({ id: 'r', enabled, fired }) as GatewayFault;
    await report(
      stream,
      () => instance.faults.value.size === 1,
      statusOf(1),
      signalsOf(['x', '1']),
      event('faults', { instance: 'a', faults: [rule(false, 0)] }),
    );
    const answered = (value: string, observed_us: number) =>
      instance.learnSignal({ id: 'x', value, observed_us, bindings: [] } as never);
    answered('0', 4);
    expect(instance.signals.get('x')?.value).toBe('1');
    answered('2', 6);
    expect(instance.signals.get('x')?.value).toBe('2');
    const before = instance.faults.value.get('r');
    const status = instance.status.value;
    instance.learnFault(rule(true, 1), before);
    expect(instance.faults.value.get('r')?.enabled).toBe(true);
    instance.learnFault(rule(false, 0), before);
    expect(instance.faults.value.get('r')?.enabled).toBe(true);
    instance.learnStatus({ ...status, state: 'stopped' } as GatewayInstance, status);
    instance.learnStatus({ ...status, state: 'running' } as GatewayInstance, status);
    expect(instance.status.value?.state).toBe('stopped');
    leave();
  });

  it('is forgotten once it is gone and no page has shown it for a while', async () => {
    const { followedInstance } = await import('./followed-instance.ts');
    const { followers } = await import('../state/resource.ts');
    const { watchInstances } = await import('../state/gateways.ts');
    watchInstances();
    const { instance, leave, stream } = await follow();
    const list = (...names: string[]): void => {
      const gateways = names.map((name) => ({ instance: name }));
      for (const follower of followers.value) follower.take({ gateways });
    };
    await report(stream, () => instance.signals.count === 1, statusOf(1), signalsOf(['x', '1']));
    list('a');
    list();
    expect(followedInstance('a')).toBe(instance);
    vi.useFakeTimers();
    leave();
    expect(followedInstance('a')).toBe(instance);
    vi.runAllTimers();
    vi.useRealTimers();
    expect(followedInstance('a')).not.toBe(instance);
  });

  it('is gone where the service knows no such instance', async () => {
    const error = { code: 'instance_not_found', message: 'No', details: {}, retryable: false };
    service.refuse = (path) =>
      path.includes('/stream') ? Response.json({ error }, { status: 404 }) : null;
    const { followedInstance } = await import('./followed-instance.ts');
    const instance = followedInstance('a');
    const leave = instance.use();
    await settled(() => instance.state === 'gone');
    service.refuse = () => null;
    instance.retry();
    await settled(() => instance.state === 'live');
    leave();
  });
});
