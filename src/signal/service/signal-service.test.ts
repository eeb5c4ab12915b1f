import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { HubBench } from '../../broker/testing/hub-bench.ts';
import type { FoundMessage } from '../../database/database-store.ts';
import type { LongRecord } from '../../frame/long-record.ts';
import { aMessage, aSignal } from '../testing/models.ts';
import { type PlanRequest, type PlanSources, SignalService } from './signal-service.ts';

const request: PlanRequest = {
  channel: 'powertrain',
  database: 'vehicle',
  message: 'Engine',
  history: 16,
};

const found: FoundMessage = {
  message: aMessage([aSignal()]),
  group: null,
  signals: ['Speed'],
  omitted: [],
};

const sources = (bus: 'can' | 'lin' = 'can'): PlanSources => ({
  channelOf: async () => ({ slot: 0, bus }),
  messageOf: async () => found,
  contentOf: () => expect.fail('no whole database was asked for'),
  attachedTo: () => [],
});

const setUp = ({ maxPlans = 2, maxBytes = 2 ** 20 } = {}) => {
  const bench = new HubBench();
  const listeners = new Set<(record: LongRecord) => void>();
  const follow = (listener: (record: LongRecord) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  bench.open(0, 64);
  const service = new SignalService({
    events: bench.hub,
    longRecords: { follow: (listener) => follow(listener) },
    clock: new FakeClock(),
    selectorOf: (slot) => (slot === 0 ? 'SIM00001/0' : ''),
    maxPlans,
    maxBytes,
    maxSignals: 4096,
    onDefect: (thrown) => expect.fail(String(thrown)),
  });
  return { bench, service, listeners };
};

describe('SignalService', () => {
  it('looks nothing up without the Web service', async () => {
    const { service } = setUp();
    const lookUp = () => expect.fail('looked up');
    await expect(
      service.create(request, {
        channelOf: lookUp,
        messageOf: lookUp,
        contentOf: lookUp,
        attachedTo: lookUp,
      }),
    ).rejects.toMatchObject({ code: 'web_not_running' });
  });

  it('names the plan that a stream is to follow, also where there are none', () => {
    const { service } = setUp();
    service.begin();
    const follow = (query: { plan?: string[] }) => () => service.subscribe(query, {} as never);
    expect(follow({ plan: ['nix'] })).toThrow(
      expect.objectContaining({ code: 'plan_not_found', details: { plan: 'nix' } }),
    );
    expect(follow({})).toThrow(expect.objectContaining({ code: 'plan_not_found', details: {} }));
  });

  it('decodes a message of a CAN channel, and has one cursor as long as there are plans', async () => {
    const { bench, service } = setUp();
    service.begin();
    const plan = await service.create(request, sources());
    expect(plan).toMatchObject({
      channel: 'powertrain',
      selector: 'SIM00001/0',
      slot: 0,
      message: 'Engine',
      signals: ['Speed'],
      history: 16,
      channel_open: true,
    });
    await service.create(request, sources());
    expect(bench.hub.consumersOf(0)).toMatchObject([{ kind: 'decode' }]);
    service.delete(plan.plan_id);
    expect(bench.hub.consumersOf(0)).toHaveLength(1);
    service.end();
    expect(bench.hub.consumersOf(0)).toEqual([]);
  });

  it('follows payloads longer than frames while a plan has a J1939 message', async () => {
    const { service, listeners } = setUp();
    service.begin();
    const { plan_id: plain } = await service.create(request, sources());
    expect(listeners.size).toBe(0);
    const message = { ...aMessage([aSignal()]), id: 0x18fe_d3fe, extended: true, pgn: 0xfed3 };
    const group = { pgn: 0xfed3, heads: [message], own: 0 };
    const messageOf = async () => ({ ...found, message, group });
    const { plan_id: grouped } = await service.create(request, { ...sources(), messageOf });
    expect(listeners.size).toBe(1);
    service.delete(plain);
    expect(listeners.size).toBe(1);
    service.delete(grouped);
    expect(listeners.size).toBe(0);
    await service.create(request, { ...sources(), messageOf });
    service.end();
    expect(listeners.size).toBe(0);
  });

  it('refuses a database of the other bus', async () => {
    const { service } = setUp();
    service.begin();
    await expect(service.create(request, sources('lin'))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'database', reason: 'not_on_bus', channel: 'powertrain' },
    });
    const lin = { publisher: 'Master', subscribers: [], checksum: 'enhanced' } as never;
    const messageOf = async () => ({ ...found, message: { ...found.message, lin } });
    await expect(service.create(request, { ...sources(), messageOf })).rejects.toMatchObject({
      details: { field: 'database', reason: 'not_on_bus' },
    });
    expect(await service.create(request, { ...sources('lin'), messageOf })).toMatchObject({
      channel: 'powertrain',
    });
  });

  it.each([
    ['plans', { maxPlans: 1 }, { limit: 1 }],
    ['memory', { maxBytes: 1000 }, { field: 'history', limit: 1000 }],
  ])('has a limit of %s, and adds nothing beyond it', async (_, limits, details) => {
    const { service } = setUp(limits);
    service.begin();
    await service.create(request, sources()).catch(() => undefined);
    const before = service.list().plans.length;
    const beyond = service.create({ ...request, history: 1024 }, sources());
    await expect(beyond).rejects.toMatchObject({ code: 'capacity_exceeded', details });
    expect(service.list().plans).toHaveLength(before);
  });
});
