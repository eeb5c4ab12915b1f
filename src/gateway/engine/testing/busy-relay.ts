import type { LooseProject } from '../../project/testing/coolant-project.ts';
import { relayProject } from './relay-project.ts';

const tx = (signal: string, message: string, startBit: number) => ({
  id: `${message}.${signal}`,
  signal,
  direction: 'tx',
  message,
  codec: 'u16',
  start_bit: startBit,
});

/**
 * Two received signals, one of them through a linear mapping, and two protected messages with
 * both of them: one on change and one each millisecond.
 */
export const busyRelay = (): LooseProject =>
  relayProject({
    signals: [
      { id: 'torque', type: 'float64', producer: 'input' },
      { id: 'shown', producer: 'derived', type: 'float64' },
    ],
    codecs: [
      {
        id: 'u16',
        kind: 'linear',
        raw: 'unsigned',
        bit_length: 16,
        byte_order: 'intel',
        factor: 0.25,
        offset: -40,
      },
      { id: 'profile', kind: 'e2e', profile: '1A', data_id: 0x0ca7 },
    ],
    messages: [
      { id: 'Engine', length: 4 },
      { id: 'Cluster', length: 8, period_ms: undefined },
      { id: 'Cyclic', endpoint: 'out', direction: 'tx', can_id: 513, length: 8, period_ms: 1 },
    ],
    bindings: [
      { id: 'speed.rx', codec: 'u8' },
      {
        id: 'torque.rx',
        signal: 'torque',
        direction: 'rx',
        message: 'Engine',
        codec: 'u16',
        start_bit: 8,
      },
      { id: 'shown.tx', codec: 'u16', start_bit: 16 },
      tx('torque', 'Cluster', 32),
      tx('shown', 'Cyclic', 16),
      tx('torque', 'Cyclic', 32),
    ],
    mappings: [{ id: 'show', transform: { kind: 'linear', k: 0.5, b: 3.25 } }],
    tx_tasks: [
      { id: 'Cluster', policy: 'on_change' },
      { id: 'Cyclic', message: 'Cyclic' },
    ],
    e2e: ['Cluster', 'Cyclic'].map((message) => ({
      id: `${message}.protect`,
      message,
      direction: 'protect',
      codec: 'profile',
    })),
  });
