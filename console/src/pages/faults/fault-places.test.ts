import { describe, expect, it } from 'vitest';
import type { GatewayGraphEdge, GatewayGraphNode } from '../../api/client.ts';
import { taskPlaces } from './fault-places.ts';

const node = (kind: GatewayGraphNode['kind'], row: string, detail: string): GatewayGraphNode => ({
  ...{ group: 'nodes', id: `${kind}:${row}`, kind, row, endpoint: 'car', detail },
  protection: null,
});

const edge = (source: string, target: string): GatewayGraphEdge => ({
  ...{ group: 'edges', source, target, binding: null },
});

describe('taskPlaces', () => {
  it('has the message of each task that sends one', () => {
    const places = taskPlaces([
      node('message', 'Wheels', '420'),
      node('resource', 'reg', 'holding 0'),
      node('task', 'send', 'every 20 ms'),
      node('task', 'write', 'every 50 ms'),
      edge('signal:speed', 'message:Wheels'),
      edge('message:Wheels', 'task:send'),
      edge('resource:reg', 'task:write'),
    ]);
    expect([...places]).toEqual([['send', { id: '420', endpoint: 'car' }]]);
  });
});
