import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stubPage } from '../../api/testing/stub-page.ts';

const answers: Readonly<Record<string, unknown>> = {
  '/api/v1/gateways': { instance: 'pump' },
  '/api/v1/health': { gateway: { instances: [{ instance: 'pump' }] } },
};

beforeEach(() => () => vi.unstubAllGlobals());

/** The instances page, which the user may leave before the service has responded. */
const setUp = async (next?: string) => {
  stubPage('#instances');
  let follow = (): void => {};
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => {
    if (type === 'hashchange') follow = listener;
  });
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (body) bodies.push(JSON.parse(String(body)));
    if (next !== undefined) location.hash = next;
    follow();
    return Response.json(answers[path]);
  });
  const state = await import('./instances-state.ts');
  const { chosenInstance } = await import('../../state/gateways.ts');
  return { ...state, bodies, chosenInstance };
};

describe('a project that is loaded', () => {
  it('is shown', async () => {
    const { load, bodies } = await setUp();
    await load('pump.gwproj');
    expect(bodies).toEqual([{ file: 'pump.gwproj' }]);
    expect(location.hash).toBe('instances?instance=pump');
  });

  it('is chosen, and the page that was opened meanwhile stays as it is', async () => {
    const { load, chosenInstance } = await setUp('#trace?id=6F1');
    await load('pump.gwproj');
    expect(location.hash).toBe('#trace?id=6F1');
    expect(chosenInstance.value).toBe('pump');
  });

  it('has the name that was typed where projects are chosen, and no other has it', async () => {
    const { load, loadAsNamed, wantedName, bodies } = await setUp();
    wantedName.value = ' cold ';
    await load('made.gwproj');
    expect(wantedName.value).toBe(' cold ');
    await loadAsNamed('pump.gwproj');
    expect(bodies).toEqual([{ file: 'made.gwproj' }, { file: 'pump.gwproj', instance: 'cold' }]);
    expect(wantedName.value).toBe('');
  });
});
