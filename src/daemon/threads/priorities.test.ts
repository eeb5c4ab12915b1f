import { describe, expect, it } from 'vitest';
import type { Port } from '../../base/threads/rpc-port.ts';
import { ceilingPriority, raisedPort } from './priorities.ts';

const setUp = (postMessage: Port['postMessage']) => {
  const log: unknown[] = [];
  const port: Port = {
    postMessage: (message, transfer) => {
      log.push(message, transfer);
      postMessage(message, transfer);
    },
    on: (event) => log.push(event),
  };
  const raised = raisedPort(port, {
    requestFifo: (priority) => {
      log.push(priority);
      return { granted: true };
    },
    leaveFifo: () => void log.push('ordinary'),
  });
  return { raised, log };
};

describe('a port with the priority of its lock', () => {
  it('has that priority while a message is posted, and not longer', () => {
    const { raised, log } = setUp(() => undefined);
    const transfer: ArrayBuffer[] = [];
    raised.postMessage('message', transfer);
    expect(log).toEqual([ceilingPriority, 'message', transfer, 'ordinary']);
  });

  it('gives it back where a message cannot be posted', () => {
    const { raised, log } = setUp(() => {
      throw new Error('cannot be cloned');
    });
    expect(() => raised.postMessage('message')).toThrow('cannot be cloned');
    expect(log.at(-1)).toBe('ordinary');
  });

  it('hears what the port hears', () => {
    const { raised, log } = setUp(() => undefined);
    raised.on('message', () => undefined);
    expect(log).toEqual(['message']);
  });
});
