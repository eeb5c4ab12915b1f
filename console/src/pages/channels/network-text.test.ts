import { describe, expect, it } from 'vitest';
import {
  endpointOfNetwork,
  parseEndpoint,
} from '../../../../src/modbus/transport/endpoint-text.ts';
import { networkText } from './network-text.ts';

describe('what a network is bound to', () => {
  it('is a port, an address or a serial line', () => {
    expect(networkText({ channel: 'SIM00001/0' })).toBe('SIM00001/0');
    expect(networkText({ tcp: { host: '10.0.0.5', port: 502 } })).toBe('tcp:10.0.0.5:502');
    expect(
      networkText({
        serial: {
          port: '/dev/ttyUSB0',
          framing: 'rtu',
          baud_rate: 19_200,
          data_bits: 8,
          parity: 'even',
          stop_bits: 1,
        },
      }),
    ).toBe('rtu:/dev/ttyUSB0:19200,8E1');
  });

  it.each([
    [{ host: '10.0.0.5', port: 4001, framing: 'rtu' }, 'rtu-tcp:10.0.0.5:4001'],
    [{ host: '10.0.0.5', port: 502, framing: 'tcp' }, 'tcp:10.0.0.5:502'],
    [{ host: 'fe80::7', port: 502 }, 'tcp:[fe80::7]:502'],
    [{ host: '::1', port: 4001, framing: 'rtu' }, 'rtu-tcp:[::1]:4001'],
  ] as const)('%j is %s, which the command line takes', (tcp, text) => {
    expect(networkText({ tcp })).toBe(text);
    expect(endpointOfNetwork({ tcp })).toMatchObject(parseEndpoint(text));
  });

  it('is nothing for one that is not bound', () => {
    expect(networkText({ channel: null })).toBe('');
  });
});
