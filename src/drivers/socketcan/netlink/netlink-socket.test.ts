import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { LinkEvents } from './link-events.ts';
import { encodeMessage, messageFlag, messageType } from './messages.ts';
import { NetlinkSocket } from './netlink-socket.ts';
import { acknowledgement, FakeCalls, listEnd } from './testing/fake-calls.ts';
import { controllerDown, virtualUp } from './testing/recorded-messages.ts';

const body = Buffer.from('body');
const reported = (sequence: number, content: Buffer, flags = 0): Buffer =>
  encodeMessage(messageType.newLink, flags, sequence, content);

describe('requests to the kernel', () => {
  it('are answered by what has their number, up to the acknowledgement', async () => {
    const calls = new FakeCalls();
    calls.answer = ({ sequence }) => [
      acknowledgement(sequence - 1, 1),
      reported(sequence, controllerDown.body),
      acknowledgement(sequence),
    ];
    const messages = await new NetlinkSocket(calls).get(messageType.getLink, body);
    expect(messages.map((message) => message.body)).toEqual([controllerDown.body]);
    expect(calls.requests).toMatchObject([
      { type: messageType.getLink, flags: messageFlag.request | messageFlag.acknowledge, body },
    ]);
  });

  it('are refused with an errno', async () => {
    const calls = new FakeCalls();
    calls.answer = ({ sequence }) => [acknowledgement(sequence, constants.errno.EPERM)];
    const change = new NetlinkSocket(calls).change(messageType.newLink, body);
    await expect(change).rejects.toMatchObject({ name: 'KernelRefusal', errno: 'EPERM' });
  });

  it('are made one at a time, and go on after a refusal', async () => {
    const calls = new FakeCalls();
    calls.answer = ({ sequence }) => [acknowledgement(sequence, sequence === 1 ? 1 : 0)];
    const socket = new NetlinkSocket(calls);
    const outcomes = await Promise.allSettled([
      socket.change(messageType.newLink, body),
      socket.change(messageType.newLink, body),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(calls.requests.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('for a list take all its datagrams, and ask again if it changed meanwhile', async () => {
    const calls = new FakeCalls();
    calls.answer = ({ sequence }) => [
      reported(sequence, controllerDown.body, sequence === 1 ? messageFlag.interrupted : 0),
      reported(sequence, virtualUp.body),
      listEnd(sequence),
    ];
    const messages = await new NetlinkSocket(calls).dump(messageType.getLink, body);
    expect(messages).toHaveLength(2);
    expect(calls.requests.map(({ flags }) => flags)).toEqual([0x301, 0x301]);
  });

  it('fail when no answer comes, and after the socket is closed', async () => {
    const calls = new FakeCalls();
    const socket = new NetlinkSocket(calls);
    const unanswered = { code: 'hardware_error', details: { reason: 'no_answer' } };
    await expect(socket.get(messageType.getLink, body)).rejects.toMatchObject(unanswered);
    await socket.close();
    await socket.close();
    expect(calls.closed).toHaveLength(1);
    await expect(socket.get(messageType.getLink, body)).rejects.toMatchObject(unanswered);
  });
});

describe('events of links', () => {
  const listenTo = (calls: FakeCalls) => {
    const log: (number | 'lost')[] = [];
    const events = new LinkEvents(calls, {
      onMessage: ({ type }) => log.push(type),
      onLost: () => log.push('lost'),
    });
    return { log, events };
  };

  it('are told as they arrive, and that some were lost where they were', () => {
    const calls = new FakeCalls();
    const { log } = listenTo(calls);
    const { errno } = constants;
    const appeared = encodeMessage(messageType.newLink, 0, 0, virtualUp.body);
    const gone = encodeMessage(messageType.deleteLink, 0, 0, virtualUp.body);
    calls.happen(-errno.EINTR, appeared, -errno.ENOBUFS, gone);
    expect(log).toEqual([messageType.newLink, 'lost', messageType.deleteLink]);
    expect(calls.opened).toEqual([1]);
  });

  it('are told no longer once they are closed', () => {
    const calls = new FakeCalls();
    const { log, events } = listenTo(calls);
    events.close();
    events.close();
    calls.happen(encodeMessage(messageType.newLink, 0, 0, virtualUp.body));
    expect(log).toEqual([]);
    expect(calls.closed).toHaveLength(1);
  });
});
