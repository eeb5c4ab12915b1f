import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { type Port, RpcPort } from '../../base/threads/rpc-port.ts';
import type { DatabaseSummary } from '../../database/database-records.ts';
import type { LoadRequest } from '../../database/service/database-loader.ts';
import { LoaderLink } from './loader-link.ts';

const silent = (): void => undefined;

class ParentPort extends EventEmitter implements Port {
  postMessage(): void {}
}

/** A loader that only stores names. */
const startLoader = (parent: ParentPort, names: string[] = []) => {
  const { port1, port2 } = new MessageChannel();
  const loads: string[] = [];
  const summaryOf = (name: string) => ({ name, file: `${name}.dbc` }) as DatabaseSummary;
  new RpcPort(
    port2,
    {
      list: () => names.map(summaryOf),
      load: ({ file, name }: LoadRequest) => {
        const known = name ?? file.replace('.dbc', '');
        loads.push(known);
        if (known === 'broken') throw new BusbarError('invalid_database');
        names.push(known);
        return summaryOf(known);
      },
      unload: (name: string) => summaryOf(name),
    },
    silent,
  );
  parent.emit('message', { link: port1 });
  return { names, loads, die: () => port2.close() };
};

describe('LoaderLink', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  const setUp = () => {
    const parent = new ParentPort();
    const lost: (string | undefined)[] = [];
    const link = new LoaderLink({
      port: parent,
      onDefect: silent,
      onLost: ({ name }) => lost.push(name),
    });
    const start = (names?: string[]) => {
      const loader = startLoader(parent, names);
      ends.push(loader.die);
      return loader;
    };
    return { link, lost, start };
  };

  it('waits for a loader, and then uses it', async () => {
    const { link, start } = setUp();
    const loaded = link.load({ file: 'a.dbc' });
    start();
    expect(await loaded).toMatchObject({ name: 'a' });
  });

  it('has a new loader load again what the one before had, but not what was unloaded', async () => {
    const { link, start } = setUp();
    const first = start();
    await link.load({ file: 'a.dbc' });
    await link.load({ file: 'b.dbc', name: 'bee' });
    await link.unload('a');
    first.die();
    const second = start();
    await eventually(() => second.loads.length === 1);
    expect(second.loads).toEqual(['bee']);
    expect(await (await link.remote).list()).toMatchObject([{ name: 'bee' }]);
  });

  it('learns from a loader that outlived a client thread what it has', async () => {
    const { link, start } = setUp();
    const first = start(['old']);
    await link.remote;
    first.die();
    const second = start();
    await eventually(() => second.loads.length === 1);
    expect(second.loads).toEqual(['old']);
  });

  it('tells what could not be loaded again, once', async () => {
    const { link, lost, start } = setUp();
    const first = start(['broken', 'good']);
    await link.remote;
    first.die();
    const second = start();
    await eventually(() => second.loads.length === 2);
    second.die();
    const third = start();
    await eventually(() => third.loads.length === 1);
    expect(third.loads).toEqual(['good']);
    expect(lost).toEqual(['broken']);
  });
});
