import { describe, expect, it } from 'vitest';
import type { GatewayInstance, GatewaySignal, GatewayTask } from '../../../api/client.ts';
import { coolantGraph } from '../testing/elements.ts';
import { FlowReadings, type FlowSource } from './flow-readings.ts';
import { shortValue } from './reading.ts';

const signal = (id: string, change: Partial<GatewaySignal> = {}): GatewaySignal => ({
  ...{ id, type: 'float64', producer: 'input', unit: 'degC', value: '20', label: null },
  ...{ valid: true, quality: 'good', observed_us: 1, error: null },
  ...{ binding_total: 0, bindings: [] },
  ...change,
});

/** An instance whose signals are all good. */
const setUp = () => {
  const graph = coolantGraph();
  const entries = graph.nodes
    .filter(({ kind }) => kind === 'signal')
    .map(({ name }) => signal(name));
  const revisions = entries.map(() => 1);
  let revision = 1;
  const signals = {
    rowOf: (id: string) => entries.findIndex((entry) => entry.id === id),
    at: (row: number) => entries[row] ?? null,
    revisionAt: (row: number) => revisions[row] ?? 0,
    get revision() {
      return revision;
    },
  };
  const set = (id: string, change: Partial<GatewaySignal>): void => {
    const row = signals.rowOf(id);
    revision += 1;
    entries[row] = signal(id, change);
    revisions[row] = revision;
  };
  const status = (connected = true) =>
    ({
      state: 'running',
      endpoints: ['can', 'plc'].map((id) => ({
        ...{ id, connected: connected || id !== 'plc', error: null },
      })),
    }) as unknown as GatewayInstance;
  const tasks = new Map([['Show', { id: 'Show', error: null } as unknown as GatewayTask]]);
  const source: { -readonly [K in keyof FlowSource]: FlowSource[K] } = {
    ...{ signals, tasks, status: status() },
  };
  const readings = new FlowReadings(graph);
  readings.update(source);
  const numberOf = (key: string) => graph.nodes.findIndex((node) => node.key === key);
  const nodeReading = (key: string) => readings.nodes[numberOf(key)];
  const edgeReading = (from: string, to: string) =>
    readings.edges.find(
      (_, edge) => graph.sources[edge] === numberOf(from) && graph.targets[edge] === numberOf(to),
    );
  return { readings, source, set, status, nodeReading, edgeReading };
};

describe('FlowReadings', () => {
  it('is good where everything is', () => {
    const { nodeReading, edgeReading } = setUp();
    const keys = ['endpoint:can', 'message:Engine', 'signal:coolant', 'mapping:to_f', 'task:Show'];
    for (const key of keys) expect(nodeReading(key)?.tone, key).toBe('good');
    expect(edgeReading('signal:coolant', 'mapping:limit')?.tone).toBe('good');
    // No report about this task.
    expect(nodeReading('task:Pump')?.tone).toBe('idle');
  });

  it('breaks the way of a signal, and no other', () => {
    const { readings, source, set, nodeReading, edgeReading } = setUp();
    const error = { code: 'timeout' as const, message: 'Engine is missing for 300 ms' };
    set('coolant', { quality: 'timeout', valid: false, error });
    readings.update(source);
    expect(edgeReading('message:Engine', 'signal:coolant')).toEqual({
      ...{ tone: 'broken', reason: 'timeout', message: error.message },
    });
    expect(edgeReading('signal:coolant', 'mapping:to_f')?.tone).toBe('broken');
    expect(edgeReading('message:Engine', 'signal:oil')?.tone).toBe('good');
    expect(nodeReading('message:Engine')?.tone).toBe('broken');
    expect(nodeReading('endpoint:can')?.tone).toBe('good');
  });

  it('names the signal with which it began, and is as bad as that', () => {
    const { readings, source, set, nodeReading } = setUp();
    const invalid = { quality: 'input_invalid', valid: false } as const;
    set('coolant', { quality: 'initial', value: null });
    set('hot', { ...invalid });
    set('warn', { ...invalid });
    readings.update(source);
    expect(nodeReading('signal:warn')).toEqual({
      ...{ tone: 'awaited', reason: 'input invalid', message: 'coolant: no value yet' },
    });
    set('coolant', { quality: 'timeout' });
    readings.update(source);
    expect(nodeReading('signal:warn')).toEqual({
      ...{ tone: 'broken', reason: 'input invalid', message: 'coolant: timeout' },
    });
  });

  it('marks the binding that cannot be encoded, while the signal is good', () => {
    const { readings, source, set, nodeReading, edgeReading } = setUp();
    const error = { code: 'out_of_range', message: '300 is above 255' } as const;
    set('warn', { bindings: [{ id: 'warn.tx', raw: '255', valid: false, error }] });
    readings.update(source);
    expect(edgeReading('signal:warn', 'task:Show')?.reason).toBe('out of range');
    expect(nodeReading('signal:warn')?.tone).toBe('good');
  });

  it('tells of tasks that fail and links that are down', () => {
    const { readings, source, status, nodeReading, edgeReading } = setUp();
    const error = { code: 'bus_off', message: 'The bus is off', timestamp_us: 1 };
    source.tasks = new Map([['Show', { id: 'Show', error } as unknown as GatewayTask]]);
    source.status = status(false);
    readings.update(source);
    expect(nodeReading('task:Show')?.reason).toBe('bus off');
    expect(edgeReading('task:Show', 'to:can')?.reason).toBe('bus off');
    expect(nodeReading('endpoint:plc')?.reason).toBe('link down');
    expect(edgeReading('endpoint:plc', 'resource:set')?.reason).toBe('link down');
  });

  it('holds everything of an instance that does not run: no wire is good, or broken', () => {
    const { readings, source, set, status, nodeReading, edgeReading } = setUp();
    const error = { code: 'out_of_range', message: '300 is above 255' } as const;
    set('oil', { quality: 'timeout', valid: false });
    set('warn', { bindings: [{ id: 'warn.tx', raw: '255', valid: false, error }] });
    set('hot', { quality: 'initial', value: null });
    readings.update(source);
    source.status = { ...status(), state: 'stopped' };
    readings.update(source);
    for (const { tone } of [...readings.nodes, ...readings.edges]) expect(tone).toBe('idle');
    expect(nodeReading('signal:coolant')?.reason).toBe('held');
    expect(edgeReading('signal:coolant', 'mapping:to_f')?.reason).toBe('held');
    expect(nodeReading('signal:hot')?.reason).toBeNull();
    source.status = status();
    readings.update(source);
    expect(edgeReading('signal:coolant', 'mapping:to_f')?.tone).toBe('good');
    expect(nodeReading('signal:oil')?.tone).toBe('broken');
  });

  it('has news only when a reading changes, not with every value', () => {
    const { readings, source, set } = setUp();
    const before = readings.version;
    set('oil', { value: '21' });
    readings.update(source);
    expect(readings.version).toBe(before);
    set('oil', { quality: 'initial', value: null });
    readings.update(source);
    expect(readings.version).toBe(before + 1);
  });
});

describe('values on wires', () => {
  it('are as short as there is room for', () => {
    const shortOf = (change: Partial<GatewaySignal>) => shortValue(signal('a', change));
    expect(shortOf({ value: '3.141592653589793' })).toBe('3.141592… degC');
    expect(shortOf({ value: '3', label: 'Drive', unit: null })).toBe('Drive');
    expect(shortOf({ value: null })).toBe('–');
    expect(shortOf({ value: '18446744073709551615', unit: null })).toBe('≈ 1.845e+19');
    expect(shortOf({ value: '1234567.8', unit: 'km' })).toBe('1234567.8 km');
    expect(shortOf({ value: '0.99999999', unit: null })).toBe('0.999999…');
    expect(shortOf({ value: '-12345678901.5', unit: null })).toBe('≈ -1.235e+10');
    expect(shortOf({ value: '12345678901', unit: null })).toBe('12345678901');
  });
});
