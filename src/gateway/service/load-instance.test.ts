import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { type Port, type RpcMethods, RpcPort } from '../../base/threads/rpc-port.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';
import { BuilderPool } from '../build/builder-pool.ts';
import { projectBuilder } from '../build/project-builder.ts';
import { ConfinedFiles } from '../files/project-files.ts';
import { instanceLimits, LoadCharge } from '../instances/budget.ts';
import { InstanceRegistry } from '../instances/instance-registry.ts';
import {
  type InstanceControl,
  type InstanceRpc,
  offerInstances,
} from '../instances/instance-rpc.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { ProjectInstances } from './project-instances.ts';

let sandbox: FileSandbox;
let registry: InstanceRegistry;
/** Names of calls in the order of the threads. */
let calls: string[];

beforeEach(() => {
  sandbox = new FileSandbox();
  registry = new InstanceRegistry();
  calls = [];
});

afterEach(() => sandbox.dispose());

/** A port to a thread; messages are cloned as between threads. */
const portTo = (offer: RpcMethods): Port => {
  const [near, far] = [new EventEmitter(), new EventEmitter()];
  const sendTo = (end: EventEmitter) => (message: unknown) => {
    const call = message as { readonly name?: string };
    if (call.name !== undefined) calls.push(call.name);
    const copy = structuredClone(message);
    setImmediate(() => end.emit('message', copy));
  };
  const listen =
    (end: EventEmitter): Port['on'] =>
    (event, listener) =>
      end.on(event, listener);
  new RpcPort({ on: listen(far), postMessage: sendTo(near) }, offer, () => undefined);
  return { on: listen(near), postMessage: sendTo(far) };
};

const setUp = (benchId: string | null = null) => {
  const clock = new FakeClock();
  const bench = { ...builtInBench, project_id: benchId };
  const offer = offerInstances<undefined>(registry, {} as InstanceControl, () => async () => bench);
  const builder = new BuilderPool(
    () => ({
      ...portTo(projectBuilder(new ConfinedFiles(sandbox.project), clock)),
      terminate: async () => undefined,
    }),
    () => undefined,
  );
  const instances = new ProjectInstances<undefined>({
    clock,
    bench: new RpcPort<InstanceRpc<undefined>>(portTo(offer), {}, () => undefined).remote,
    builder,
    watches: { unloaded: () => undefined },
    selectorOf: () => '',
    pages: { project: { default: 16, maximum: 16 }, manifest: { default: 16, maximum: 16 } },
    maxBytes: 4 * 1024 * 1024,
  });
  return (instance?: string) =>
    instances.load({ file: 'a.gwproj', instance, kind: 'project' }, undefined);
};

const write = (id?: string): number => {
  const { id: _, ...project } = coolantProject();
  const text = JSON.stringify({ ...project, ...(id !== undefined && { id }) });
  sandbox.write('project/a.gwproj', text);
  return Buffer.byteLength(text);
};

describe('loading an instance', () => {
  it('takes three round trips between threads', async () => {
    write('coolant');
    await setUp()();
    expect(calls).toEqual(['reserveInstance', 'load', 'commitInstance']);
  });

  it('charges the file and its rows', async () => {
    const bytes = write('coolant');
    await setUp()();
    const { chargedBytes, image } = registry.get('coolant');
    expect(chargedBytes).toBe(bytes + image.rows * instanceLimits.rowBytes);
  });

  it.each([
    ['the caller', 'given', 'project', 'bench', 'given', 'project'],
    ['the caller, not the bench', 'given', undefined, 'bench', 'given', 'bench'],
    ['the project', undefined, 'project', 'bench', 'project', 'project'],
    ['the bench', undefined, undefined, 'bench', 'bench', 'bench'],
  ])('takes the name from %s', async (_, instance, id, benchId, name, projectId) => {
    write(id);
    await setUp(benchId)(instance);
    expect(registry.get(name)).toMatchObject({ name, projectId });
  });

  it.each([
    ['files', 'bench'],
    [undefined, 'files'],
  ])('refuses the reserved name files of the project or the bench', async (id, benchId) => {
    write(id);
    await expect(setUp(benchId)()).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'instance' },
    });
    expect(registry.instances()).toEqual([]);
  });

  it.each([
    ['the file exceeds the budget', 'capacity_exceeded', () => fill(1)],
    ['its rows exceed the budget', 'capacity_exceeded', () => fill(write('coolant') + 1)],
    ['nothing names it', 'invalid_argument', () => void write()],
    ['it is invalid', 'invalid_project', () => void sandbox.write('project/a.gwproj', '{}')],
  ])('leaves nothing behind if %s', async (_, code, prepare) => {
    write('coolant');
    prepare();
    const before = registry.chargedBytes;
    const thrown = await setUp()().then(() => undefined, BusbarError.from);
    expect(thrown?.code).toBe(code);
    expect(registry.chargedBytes).toBe(before);
    const taken = before === 0 ? 0 : 1;
    for (let place = taken; place < instanceLimits.instances; place++) registry.reserve(null);
  });
});

/** Leaves this many bytes of the budget. */
const fill = (left: number): void =>
  new LoadCharge(registry.reserve('full')).opened(instanceLimits.budgetBytes - left);
