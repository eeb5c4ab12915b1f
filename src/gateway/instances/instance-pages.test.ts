import { describe, expect, it } from 'vitest';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import type { ListPage } from '../../base/json/list-page.ts';
import { gather } from '../../base/json/sliced-json.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { buildImage } from '../image/build-image.ts';
import { GatewayFault } from '../image/fault-record.ts';
import { signalRules } from '../image/signal-rules.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { faultPage, instancePage, signalPage } from './instance-pages.ts';
import { GatewayInstance, GatewaySignal, GatewayTask } from './instance-record.ts';
import { InstanceRegistry } from './instance-registry.ts';
import { InstanceView } from './instance-view.ts';
import { GatewayFaultPage, GatewaySignalPage } from './page-records.ts';

const responseBytes = 2 * 1024 * 1024;
const range = { offset: 0, limit: 1000, maxBytes: responseBytes - 4096 };

const loaded = (change: (project: ReturnType<typeof coolantProject>) => void) => {
  const source = coolantProject();
  change(source);
  const registry = new InstanceRegistry();
  const image = buildImage(readLoose(source).toProject());
  return registry.commit(registry.reserve('a'), 'a.gwproj', image);
};

const bytesOf = async (page: ListPage): Promise<Buffer> => {
  const { bytes } = await gather(page, { turns: new YieldQueue(), scratch: new ScratchPool() });
  return Buffer.from(bytes);
};

const read = async (page: ListPage) => JSON.parse((await bytesOf(page)).toString());

const widest = '\u0001'.repeat(65_536);
const longId = (letter: string, index: number): string => `${letter}${index}`.padEnd(512, 'x');

/** One signal with very many bindings, and with the longest texts. */
const wide = loaded((project) => {
  const binding = project.bindings.find(({ id }: { id: string }) => id === 'pump.tx');
  const signal = project.signals.find(({ id }: { id: string }) => id === 'pump');
  signal.unit = widest;
  signal.labels = ['0', '1', '2'].map((value) => ({ value, label: widest }));
  project.bindings = Array.from({ length: 65_536 }, (_, index) => ({
    ...binding,
    id: index < 256 ? longId('b', index) : `b${index}`,
  }));
  project.fault_rules = Array.from({ length: 10 }, (_, index) => ({
    id: longId('f', index),
    task: 'PumpCommand',
    kind: 'drop',
    comment: widest,
  }));
});

describe('pages of an instance', () => {
  it('warn of a task on change whose message has no signals', async () => {
    const instance = loaded((project) => {
      const message = { id: 'Plain', endpoint: 'powertrain', direction: 'tx', can_id: 700 };
      project.messages.push({ ...message, length: 8 });
      project.tx_tasks.push({ id: 'Plain', message: 'Plain', policy: 'on_change' });
    });
    const { health, tasks } = await read(instancePage(instance, range));
    expect(health).toBe('ok');
    expect(tasks).toMatchObject([{ warning: null }, { warning: { code: 'never_sent' } }]);
  });

  it('have their fields in the order of the records, which begin with instance and state', async () => {
    const instance = loaded((changed) => {
      changed.fault_rules = [{ id: 'f', task: 'PumpCommand', kind: 'drop' }];
    });
    const keys = (schema: { readonly properties: object }) => Object.keys(schema.properties);
    const status = await read(instancePage(instance, range));
    expect(Object.keys(status)).toEqual(keys(GatewayInstance));
    expect(Object.keys(status).slice(0, 2)).toEqual(['instance', 'state']);
    expect(Object.keys(status).slice(-2)).toEqual(['endpoints', 'tasks']);
    expect(Object.keys(status.tasks[0])).toEqual(keys(GatewayTask));
    const signals = await read(signalPage(instance, range));
    expect(Object.keys(signals)).toEqual(keys(GatewaySignalPage));
    expect(Object.keys(signals).slice(0, 2)).toEqual(['instance', 'state']);
    expect(Object.keys(signals).at(-1)).toBe('signals');
    expect(Object.keys(signals.signals[0])).toEqual(keys(GatewaySignal));
    const faults = await read(faultPage(instance, range));
    expect(Object.keys(faults)).toEqual(keys(GatewayFaultPage));
    expect(keys(GatewayFault)).toEqual(expect.arrayContaining(Object.keys(faults.faults[0])));
  });

  it('advance over a signal with 65,536 bindings, of which they show the first', async () => {
    const instance = wide;
    const ids: string[] = [];
    for (let offset = 0; offset < 3; ) {
      const bytes = await bytesOf(signalPage(instance, { ...range, offset }));
      expect(bytes.length).toBeLessThanOrEqual(responseBytes);
      const { signals, signal_next_offset } = JSON.parse(bytes.toString());
      expect(signal_next_offset).toBeGreaterThan(offset);
      ids.push(...signals.map(({ id }: { id: string }) => id));
      for (const signal of signals) {
        if (signal.id !== 'pump') continue;
        expect(signal.binding_total).toBe(65_536);
        expect(signal.bindings.map(({ id }: { id: string }) => id)).toEqual(
          Array.from({ length: 256 }, (_, index) => longId('b', index)),
        );
      }
      offset = signal_next_offset;
    }
    expect(ids).toEqual(['coolant', 'coolant_f', 'pump']);
  });

  it('leave room for all that one signal or fault rule can hold', async () => {
    const instance = wide;
    const { reader } = new InstanceView(instance);
    const index = reader.requireSignal('pump');
    const entry = new InstanceView(instance).signals(index, 1).entry(0);
    const whole = { ...entry, label: widest, ...signalRules(reader, index) };
    expect(Buffer.byteLength(JSON.stringify(whole))).toBeLessThan(range.maxBytes);
    let offset = 0;
    while (offset < 10) {
      const { fault_next_offset } = await read(faultPage(instance, { ...range, offset }));
      expect(fault_next_offset).toBeGreaterThan(offset);
      offset = fault_next_offset;
    }
  });
});
