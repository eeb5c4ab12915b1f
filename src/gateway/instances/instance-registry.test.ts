import { beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { buildImage } from '../image/build-image.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import {
  budgetExceeded,
  fileTooLarge,
  instanceLimits,
  LoadCharge,
  savedTooLarge,
} from './budget.ts';
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
    const ticket = registry.reserve(null);
    const commit = (id: string) => registry.commit(ticket, 'b.gwproj', image, id);
    expect(codeOf(() => commit('a'))).toBe('already_exists');
    expect(commit('b')).toMatchObject({ name: 'b', state: 'loaded' });
  });

  it('counts places of loads that are under way, and says so of a name first', () => {
    add('a');
    const reservations = Array.from({ length: instanceLimits.instances - 1 }, () =>
      registry.reserve(null),
    );
    expect(codeOf(() => registry.reserve(null))).toBe('capacity_exceeded');
    expect(codeOf(() => registry.reserve('a'))).toBe('already_exists');
    registry.release({ reservation: reservations[0]?.reservation ?? 0 });
    expect(codeOf(() => registry.reserve(null))).toBeUndefined();
    registry.releaseAll();
    expect(registry.instances()).toHaveLength(1);
    expect(codeOf(() => registry.reserve(null))).toBeUndefined();
  });

  it('charges no more than the budget, and gives it back', () => {
    const one = registry.reserve('one');
    new LoadCharge(one).opened(instanceLimits.budgetBytes - 1000);
    const other = registry.reserve('other');
    const charge = new LoadCharge(other);
    expect(codeOf(() => charge.opened(1001))).toBe('capacity_exceeded');
    charge.opened(1000);
    expect(registry.chargedBytes).toBe(instanceLimits.budgetBytes);
    expect(codeOf(() => charge.validated(1))).toBe('capacity_exceeded');
    new LoadCharge(one).opened(5);
    charge.validated(2);
    expect(registry.chargedBytes).toBe(1005 + 2 * instanceLimits.rowBytes);
    expect(registry.commit(one, 'one.gwproj', image)).toMatchObject({ chargedBytes: 5 });
    registry.release(other);
    registry.release(one);
    expect(registry.get('one')).toMatchObject({ daemonBytes: 5 });
    registry.unload('one');
    expect(registry.chargedBytes).toBe(0);
  });

  it('lets projects and manifests share names, places and budget, and tells them apart', () => {
    add('project');
    const ticket = registry.reserve(null, 'manifest');
    new LoadCharge(ticket).opened(100);
    const commit = (id: string) => registry.commit(ticket, 'restbus.json', image, id);
    expect(codeOf(() => commit('project'))).toBe('already_exists');
    commit('restbus');
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
