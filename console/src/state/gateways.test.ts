import { beforeEach, describe, expect, it, vi } from 'vitest';

const summary = (instance: string, enabled_faults = 0) => ({
  instance,
  loaded_at_us: 1,
  state: 'running',
  health: 'ok',
  enabled_faults,
});

const storage = new Map<string, string>();

const open = async (hash: string) => {
  vi.resetModules();
  vi.stubGlobal('location', { host: 'bench:8080', hash });
  const { followers } = await import('./resource.ts');
  const gateways = await import('./gateways.ts');
  gateways.watchInstances();
  const hear = (...instances: object[]): void => {
    for (const follower of followers.value) follower.take({ gateways: instances });
  };
  return { ...gateways, hear };
};

beforeEach(() => {
  storage.clear();
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, text: string) => storage.set(key, text),
    },
  });
  return () => vi.unstubAllGlobals();
});

describe('the instances that the stream of states tells of', () => {
  it('stay the same list while nothing about them changes', async () => {
    const { instances, hear } = await open('#instances');
    expect(instances.value).toBeNull();
    hear(summary('a'));
    const first = instances.value;
    hear(summary('a'));
    expect(instances.value).toBe(first);
    hear(summary('a', 1));
    expect(instances.value).not.toBe(first);
  });

  it('name those with faults that are switched on', async () => {
    const { faultyInstances, hear } = await open('#trace');
    hear(summary('a'), summary('b', 2));
    expect(faultyInstances.value.map(({ instance }) => instance)).toEqual(['b']);
  });
});

describe('the chosen instance', () => {
  it('is the one in the address, else the first one', async () => {
    const named = await open('#faults?instance=b');
    named.hear(summary('a'), summary('b'));
    expect(named.chosenInstance.value).toBe('b');
    storage.clear();
    const unnamed = await open('#faults');
    unnamed.hear(summary('a'), summary('b'));
    expect(unnamed.chosenInstance.value).toBe('a');
  });

  it('is remembered, and stays where it is unloaded meanwhile', async () => {
    const { hear } = await open('#faults?instance=b');
    hear(summary('a'), summary('b'));
    const again = await open('#faults');
    again.hear(summary('a'), summary('b'));
    expect(again.chosenInstance.value).toBe('b');
    again.hear(summary('a'));
    expect(again.chosenInstance.value).toBe('b');
  });

  it('is forgotten where it was gone before the console was opened', async () => {
    storage.set('busbar.gateway.instance', 'gone');
    const { chosenInstance, hear } = await open('#faults');
    hear(summary('a'));
    expect(chosenInstance.value).toBe('a');
  });

  it('is not named by addresses of other pages', async () => {
    const { chosenInstance, hear } = await open('#trace?instance=b');
    hear(summary('a'), summary('b'));
    expect(chosenInstance.value).toBe('a');
  });
});
