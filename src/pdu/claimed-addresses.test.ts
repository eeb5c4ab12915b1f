import { describe, expect, it } from 'vitest';
import { nodeRecord } from './claim-record.ts';
import { withNodes } from './claimed-addresses.ts';

const node = (channel: number, name: bigint) =>
  nodeRecord({ channel, name, address: 0x80, timestampUs: 1, eventId: 2 }, `SIM00001/${channel}`);
const claim = (slot: number, name: string) => ({ claim_id: `claim-${slot}`, slot, name });

describe('nodes with the claims of the daemon', () => {
  const nodes = [node(0, 5n), node(1, 5n), node(1, 6n)];

  it('name the claim of their channel and NAME', () => {
    const found = withNodes([claim(1, '0000000000000005')], nodes, null);
    expect(found.nodes.map(({ claim_id }) => claim_id)).toEqual([null, 'claim-1', null]);
    expect(found.claims).toHaveLength(1);
  });

  it('are listed with the claims of the same channels', () => {
    const claims = [claim(0, '0000000000000005'), claim(1, '0000000000000006')];
    expect(withNodes(claims, nodes, [1]).claims).toEqual([claims[1]]);
  });
});

describe('the record of a node', () => {
  it('has the fields of its NAME', () => {
    expect(node(0, 0x8102_0109_5352_5687n)).toEqual({
      ...{ channel: 0, selector: 'SIM00001/0', address: 0x80, name: '8102010953525687' },
      ...{ claim_id: null, timestamp_us: 1, event_id: 2 },
      ...{ industry_group: 0, vehicle_system_instance: 1, vehicle_system: 1, function: 1 },
      ...{ function_instance: 1, ecu_instance: 1, manufacturer: 666, identity: 1_201_799 },
      arbitrary_address: true,
    });
  });
});
