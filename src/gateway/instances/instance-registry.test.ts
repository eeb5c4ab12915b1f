import { beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';
import { buildImage } from '../image/build-image.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { budgetExceeded, fileTooLarge, instanceLimits, savedTooLarge } from './budget.ts';
import { type InstanceHost, loadInstance } from './instance-loads.ts';
import { type InstanceRuns, offerInstances } from './instance-offer.ts';
import { InstanceRegistry } from './instance-registry.ts';

const image: ProjectImage = buildImage(readLoose(coolantProject()).toProject());
const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (thrown) {
    return BusbarError.from(thrown).code;
  }
};

let registry: InstanceRegistry;
beforeEach(() => {
  registry = new InstanceRegistry();
});

const add = (name: string): void => void registry.commit(registry.reserve(name), 'a.gwproj', image);

describe('InstanceRegistry', () => {
  it('says whether another try may succeed: not with a file over its limit or over the whole budget', () => {
    const { budgetBytes, fileBytes } = instanceLimits;
    expect(fileTooLarge(fileBytes + 1).toRecord()).toMatchObject({ retryable: false });
    expect(savedTooLarge('file').toRecord()).toMatchObject({ retryable: false });
    expect(budgetExceeded(budgetBytes + 1, 0).toRecord()).toMatchObject({ retryable: false });
    expect(budgetExceeded(1, budgetBytes).toRecord()).toMatchObject({ retryable: true });
  });

  it('has no two instances of one name, loaded or being loaded', () => {
    add('a');
    const reservation = registry.reserve('b');
    expect(codeOf(() => registry.reserve('a'))).toBe('already_exists');
    expect(codeOf(() => registry.reserve('b'))).toBe('already_exists');
    registry.release(reservation);
    expect(codeOf(() => registry.reserve('b'))).toBeUndefined();
  });

  it('refuses a name that only turns out to be taken', () => {
    add('a');
    const reservation = registry.reserve(null);
    expect(codeOf(() => registry.identify(reservation, 'a'))).toBe('already_exists');
    registry.identify(reservation, 'b');
    expect(registry.commit(reservation, 'b.gwproj', image)).toMatchObject({
      name: 'b',
      state: 'loaded',
    });
  });

  it('counts places of loads that are under way, and says so of a name first', () => {
    add('a');
    const reservations = Array.from({ length: instanceLimits.instances - 1 }, () =>
      registry.reserve(null),
    );
    expect(codeOf(() => registry.reserve(null))).toBe('capacity_exceeded');
    expect(codeOf(() => registry.reserve('a'))).toBe('already_exists');
    registry.release(reservations[0] ?? 0);
    expect(codeOf(() => registry.reserve(null))).toBeUndefined();
    registry.releaseAll();
    expect(registry.instances()).toHaveLength(1);
    expect(codeOf(() => registry.reserve(null))).toBeUndefined();
  });

  it('charges no more than the budget, and gives it back', () => {
    const one = registry.reserve('one');
    registry.charge(one, instanceLimits.budgetBytes - 10);
    const other = registry.reserve('other');
    expect(codeOf(() => registry.charge(other, 11))).toBe('capacity_exceeded');
    registry.charge(other, 10);
    expect(registry.chargedBytes).toBe(instanceLimits.budgetBytes);
    registry.charge(one, 5);
    expect(registry.chargedBytes).toBe(15);
    registry.commit(one, 'one.gwproj', image);
    registry.release(other);
    expect(registry.chargedBytes).toBe(5);
    registry.unload('one');
    expect(registry.chargedBytes).toBe(0);
  });

  it('lets projects and manifests share names, places and budget, and tells them apart', () => {
    add('project');
    const reservation = registry.reserve(null, 'manifest');
    expect(codeOf(() => registry.identify(reservation, 'project'))).toBe('already_exists');
    registry.identify(reservation, 'restbus');
    registry.charge(reservation, 100);
    registry.commit(reservation, 'restbus.json', image);
    expect(registry.chargedBytes).toBe(100);
    expect(codeOf(() => registry.reserve('restbus'))).toBe('already_exists');
    expect(codeOf(() => registry.get('restbus'))).toBe('instance_not_found');
    expect(codeOf(() => registry.unload('restbus'))).toBe('instance_not_found');
    expect(codeOf(() => registry.get('project', 'manifest'))).toBe('instance_not_found');
    expect(registry.instances().map(({ name }) => name)).toEqual(['project']);
    expect(registry.instances('manifest').map(({ name }) => name)).toEqual(['restbus']);
    for (let place = 2; place < instanceLimits.instances; place++) registry.reserve(null);
    expect(codeOf(() => registry.reserve(null))).toBe('capacity_exceeded');
    registry.unload('restbus', 'manifest');
    expect(registry.chargedBytes).toBe(0);
    expect(codeOf(() => registry.reserve('restbus'))).toBeUndefined();
  });

  it('changes only the instance that a change was made for', () => {
    add('a');
    const { serial } = registry.get('a');
    registry.unload('a');
    add('a');
    expect(codeOf(() => registry.sameInstance('a', serial))).toBe('instance_not_found');
    expect(registry.sameInstance('a', registry.get('a').serial).name).toBe('a');
  });

  it('keeps what runs', () => {
    add('a');
    for (const state of ['starting', 'running', 'stopping'] as const) {
      registry.instance('a').state = state;
      expect(codeOf(() => registry.unload('a'))).toBe('instance_running');
    }
    registry.instance('a').state = 'stopped';
    expect(registry.unload('a').endpoints).toEqual([]);
  });
});

describe('loadInstance', () => {
  const hostOf = (benchId: string | null = null): InstanceHost => {
    const runs = {} as InstanceRuns;
    const bench = { ...builtInBench, project_id: benchId };
    const offer = offerInstances(registry, runs, () => async () => bench);
    return {
      reserve: async (name) => offer.reserveInstance(name),
      identify: (reservation, id) => offer.identifyInstance(reservation, id, undefined),
      charge: async (reservation, bytes) => offer.chargeInstance(reservation, bytes),
      commit: async (reservation, file, built) => offer.commitInstance(reservation, file, built),
      release: async (reservation) => offer.releaseInstance(reservation),
    };
  };
  const request = { file: 'a.gwproj', instance: null };

  it('charges the file before it is read, and the rows before they are built', async () => {
    const charges: number[] = [];
    const loaded = await loadInstance(request, hostOf(), async (_, steps) => {
      await steps.opened(1000);
      charges.push(registry.chargedBytes);
      await steps.validated(10, 'a');
      charges.push(registry.chargedBytes);
      return image;
    });
    expect(charges).toEqual([1000, 1000 + 10 * instanceLimits.rowBytes]);
    expect(loaded).toMatchObject({ name: 'a', file: 'a.gwproj' });
  });

  it.each([
    ['the caller', 'given', 'project', 'bench', 'given', 'project'],
    ['the caller, not the bench', 'given', null, 'bench', 'given', 'bench'],
    ['the project', null, 'project', 'bench', 'project', 'project'],
    ['the bench', null, null, 'bench', 'bench', 'bench'],
  ])('takes the name from %s', async (_, instance, projectId, benchId, name, id) => {
    const loaded = await loadInstance(
      { ...request, instance },
      hostOf(benchId),
      async (_, steps) => {
        await steps.validated(1, projectId);
        return { ...image, projectId };
      },
    );
    expect(loaded).toMatchObject({ name, projectId: id });
  });

  it.each([
    ['files', 'bench'],
    [null, 'files'],
  ])('refuses the reserved name files of the project or the bench', async (projectId, benchId) => {
    const load = loadInstance(request, hostOf(benchId), async (_, steps) => {
      await steps.validated(1, projectId);
      return { ...image, projectId };
    });
    await expect(load).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'instance' },
    });
    expect(registry.instances()).toEqual([]);
  });

  it.each([
    ['the file is too large for what is left', { opened: instanceLimits.budgetBytes + 1 }],
    ['the rows are too many', { rows: instanceLimits.budgetBytes }],
    ['nothing names it', { rows: 1 }],
    ['it cannot be built', { failure: new BusbarError('invalid_project') }],
  ])(
    'leaves nothing behind if %s',
    async (_, {
      opened = 1,
      rows = 1,
      failure,
    }: { opened?: number; rows?: number; failure?: Error }) => {
      const load = loadInstance(request, hostOf(), async (_, steps) => {
        await steps.opened(opened);
        if (failure) throw failure;
        await steps.validated(rows, rows === 1 ? null : 'a');
        return image;
      });
      await expect(load).rejects.toBeInstanceOf(BusbarError);
      expect(registry.chargedBytes).toBe(0);
      for (let place = 0; place < instanceLimits.instances; place++) registry.reserve(null);
    },
  );
});
