import {
  endpointText,
  tcpKindOf,
} from '../../../../src/modbus/transport/notation/endpoint-notation.ts';
import type { Bench } from '../../api/client.ts';

type Network = Bench['networks'][string];

export const networkText = (network: Network): string => {
  if ('tcp' in network) {
    const { host, port, framing } = network.tcp;
    return endpointText({ kind: tcpKindOf(framing), host, port });
  }
  if ('serial' in network) {
    const { framing, port, baud_rate, data_bits, parity, stop_bits } = network.serial;
    const settings = { baudRate: baud_rate, dataBits: data_bits, parity, stopBits: stop_bits };
    return endpointText({ kind: framing, device: port, settings });
  }
  return network.channel ?? '';
};
