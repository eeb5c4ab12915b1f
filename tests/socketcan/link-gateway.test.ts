import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LinkGateway } from '../../src/drivers/socketcan/link-gateway.ts';
import { loadNetlinkCalls } from '../../src/drivers/socketcan/netlink/netlink-calls.ts';
import { NetlinkSocket } from '../../src/drivers/socketcan/netlink/netlink-socket.ts';
import { eventually } from '../support/workbench.ts';

/** The list of the kernel's own tool, whose exit code is always an error. */
const rules = (): readonly string[] =>
  spawnSync('cangw', ['-L'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.startsWith('cangw -A'));
const indexOf = (name: string): number =>
  Number(readFileSync(`/sys/class/net/${name}/ifindex`, 'utf8'));

describe('rules of the kernel’s gateway', () => {
  const open = async (owner: string): Promise<LinkGateway> => {
    const socket = new NetlinkSocket(await loadNetlinkCalls());
    onTestFinished(() => socket.close());
    return new LinkGateway(socket, owner);
  };
  const wanted = () => ({
    source: indexOf('vcan0'),
    target: indexOf('vcan1'),
    fd: false,
    filter: { id: 0x123, mask: 0xc000_07ff },
    setId: 0x456,
  });

  it('pass frames on, are counted, and are removed', async () => {
    const gateway = await open('/run/one');
    const number = await gateway.add(wanted());
    await gateway.add({ ...wanted(), fd: true });
    expect(rules()).toHaveLength(2);
    expect(rules().some((rule) => rule.includes('-X'))).toBe(true);
    for (const frame of ['123#0102', '124#', '123##1AABB', '00000123#']) {
      execFileSync('cansend', ['vcan0', frame]);
    }
    const handled = async () => [...(await gateway.counts()).values()].map((rule) => rule.handled);
    // The kernel may process the last of them late.
    await eventually(async () => (await handled()).every((count) => count > 0));
    expect((await gateway.counts()).get(number)).toEqual({ handled: 1, dropped: 0 });
    expect(await handled()).toEqual([1, 1]);
    await gateway.close();
    expect(rules()).toEqual([]);
  });

  it('left behind by a killed daemon go when the next one starts, and no others', async () => {
    execFileSync('cangw', ['-A', '-s', 'vcan1', '-d', 'vcan0', '-e']);
    onTestFinished(() => void spawnSync('cangw', ['-F']));
    const killed = await open('/run/one');
    await killed.add(wanted());
    await killed.add({ ...wanted(), setId: undefined });
    const other = await open('/run/two');
    await other.add(wanted());
    expect(rules()).toHaveLength(4);
    await (await open('/run/one')).removeStale();
    expect(rules()).toHaveLength(2);
    await other.close();
    expect(rules()).toEqual([expect.stringContaining('-s vcan1 -d vcan0')]);
  });
});
