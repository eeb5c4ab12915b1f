import { constants } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { LinkGateway, ownerMark, type WantedRule } from './link-gateway.ts';
import { encodeRule, readRule } from './netlink/gateway-rules.ts';
import { encodeMessage, messageType } from './netlink/messages.ts';
import { NetlinkSocket } from './netlink/netlink-socket.ts';
import { acknowledgement, FakeCalls, listEnd } from './netlink/testing/fake-calls.ts';

const rule: WantedRule = {
  source: 4,
  target: 5,
  fd: false,
  filter: { id: 0x123, mask: 0x7ff },
  setId: undefined,
};

/** A kernel that stores rules. */
class GatewayCalls extends FakeCalls {
  rules: Buffer[] = [];
  refusal = 0;
  listRefusal = 0;

  constructor() {
    super();
    this.answer = ({ type, sequence, body }) => {
      if (type === messageType.getRoute) {
        if (this.listRefusal !== 0) return [acknowledgement(sequence, this.listRefusal)];
        const list = this.rules.map((one) => encodeMessage(messageType.newRoute, 2, sequence, one));
        return [...list, listEnd(sequence)];
      }
      if (this.refusal !== 0) return [acknowledgement(sequence, this.refusal)];
      if (type === messageType.newRoute) this.rules.push(body);
      else this.rules = this.rules.filter((known) => !known.equals(body));
      return [acknowledgement(sequence)];
    };
  }

  get marks(): (number | undefined)[] {
    const message = { type: messageType.newRoute, flags: 0, sequence: 0 };
    return this.rules.map((body) => readRule({ ...message, body })?.mark);
  }
}

describe('rules of the gateway', () => {
  let calls: GatewayCalls;
  let gateway: LinkGateway;
  const open = (owner: string): LinkGateway => new LinkGateway(new NetlinkSocket(calls), owner);

  beforeEach(() => {
    calls = new GatewayCalls();
    gateway = open('/run/one');
  });

  it('carry marks of their own, which are free again once they are removed', async () => {
    const first = await gateway.add(rule);
    const second = await gateway.add(rule);
    expect(calls.marks).toEqual([first, second]);
    await gateway.remove(first);
    expect(calls.marks).toEqual([second]);
    expect(await gateway.add(rule)).toBe(first);
  });

  it('of a run that was killed are removed before the first is added', async () => {
    await gateway.add(rule);
    await gateway.add({ ...rule, setId: 0x456 });
    const next = open('/run/one');
    const only = await next.add({ ...rule, source: 7 });
    expect(calls.marks).toEqual([only]);
  });

  it('of other daemons and other programs stay', async () => {
    const theirs = await open('/run/two').add(rule);
    calls.rules.push(encodeRule({ ...rule, mark: 0 }).subarray(0, -8));
    await gateway.removeStale();
    await gateway.add(rule);
    await gateway.close();
    expect(calls.marks).toEqual([theirs, undefined]);
  });

  it('have the same marks in every run, and others for another owner', () => {
    expect(ownerMark('/run/one')).toBe(ownerMark('/run/one'));
    expect(ownerMark('/run/one')).not.toBe(ownerMark('/run/two'));
    expect(ownerMark('/run/one') & 0x3ff).toBe(0);
  });

  it('are counted by the kernel', async () => {
    const number = await gateway.add(rule);
    const counted = Buffer.from('08000700050000000800080001000000', 'hex');
    calls.rules = calls.rules.map((body) => Buffer.concat([body, counted]));
    expect([...(await gateway.counts())]).toEqual([[number, { handled: 5, dropped: 1 }]]);
  });

  it.each([
    ['EPERM', 'hardware_error', 'permission', /busbar doctor/],
    ['EOPNOTSUPP', 'unsupported_by_hardware', 'no_gateway', /sudo modprobe can-gw/],
    ['EINVAL', 'hardware_error', 'refused', /^(?!Run)/],
  ] as const)('that are refused with %s leave nothing behind', async (...row) => {
    const [errno, code, reason, hint] = row;
    calls.refusal = constants.errno[errno];
    const refusal = await gateway.add(rule).catch((thrown) => thrown);
    expect(refusal).toMatchObject({ code, details: { reason, errno, field: 'offload' } });
    expect(refusal.hint ?? '').toMatch(hint);
    expect(await gateway.counts()).toEqual(new Map());
  });

  it('can be added once the kernel has what it lacked', async () => {
    calls.listRefusal = constants.errno.EOPNOTSUPP;
    await expect(gateway.add(rule)).rejects.toMatchObject({
      code: 'unsupported_by_hardware',
      details: { reason: 'no_gateway' },
    });
    calls.listRefusal = 0;
    const number = await gateway.add(rule);
    expect(calls.marks).toEqual([number]);
  });

  it('are so many at most', async () => {
    for (let number = 1; number < 1024; number++) await gateway.add(rule);
    await expect(gateway.add(rule)).rejects.toMatchObject({ code: 'capacity_exceeded' });
  });
});
