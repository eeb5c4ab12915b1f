import { describe, expect, it } from 'vitest';
import { endpointOfNetwork, parseEndpoint } from './endpoint-text.ts';
import { endpointText } from './notation/endpoint-notation.ts';

const even = { baudRate: 19_200, dataBits: 8, parity: 'even', stopBits: 1 };

describe('parseEndpoint', () => {
  it.each([
    ['tcp:plc.local:502', { kind: 'tcp', host: 'plc.local', port: 502 }],
    ['tcp:10.0.0.7:1502', { kind: 'tcp', host: '10.0.0.7', port: 1502 }],
    ['tcp:[::1]:502', { kind: 'tcp', host: '::1', port: 502 }],
    ['rtu-tcp:10.0.0.7:4001', { kind: 'rtu-tcp', host: '10.0.0.7', port: 4001 }],
    ['rtu-tcp:[::1]:4001', { kind: 'rtu-tcp', host: '::1', port: 4001 }],
    ['rtu:/dev/ttyUSB0', { kind: 'rtu', device: '/dev/ttyUSB0', settings: even }],
    [
      'ascii:/dev/ttyS1',
      { kind: 'ascii', device: '/dev/ttyS1', settings: { ...even, dataBits: 7 } },
    ],
    [
      'rtu:/dev/ttyUSB0:9600,8n2',
      {
        kind: 'rtu',
        device: '/dev/ttyUSB0',
        settings: { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 },
      },
    ],
    [
      'rtu:/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0',
      {
        kind: 'rtu',
        device: '/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0',
        settings: even,
      },
    ],
    [
      'ascii:/dev/serial/by-path/usb-0:1:1.0-port0:250000,8O1',
      {
        kind: 'ascii',
        device: '/dev/serial/by-path/usb-0:1:1.0-port0',
        settings: { baudRate: 250_000, dataBits: 8, parity: 'odd', stopBits: 1 },
      },
    ],
  ])('reads %s', (text, endpoint) => {
    expect(parseEndpoint(text)).toEqual(endpoint);
  });

  it.each([
    ['', 'endpoint'],
    ['plc:502', 'endpoint'],
    ['udp:plc:502', 'endpoint'],
    ['tcp:plc', 'endpoint'],
    ['tcp::502', 'endpoint'],
    ['tcp:[]:502', 'endpoint'],
    ['tcp:::1:502', 'endpoint'],
    ['tcp:plc:modbus', 'endpoint'],
    ['tcp:plc:0', 'port'],
    ['tcp:plc:65536', 'port'],
    ['rtu-tcp:plc', 'endpoint'],
    ['rtu-tcp:plc:0', 'port'],
    ['rtu-tcp:/dev/ttyUSB0', 'endpoint'],
    ['rtutcp:plc:502', 'endpoint'],
    ['rtu:', 'endpoint'],
    ['rtu::9600,8N1', 'endpoint'],
    ['rtu:ttyUSB0', 'endpoint'],
    ['ascii:./ttyUSB0:9600,7E1', 'endpoint'],
    ['rtu:/dev/ttyUSB0:9600', 'endpoint'],
    ['rtu:/dev/ttyUSB0:9600,8X1', 'endpoint'],
    ['rtu:/dev/ttyUSB0:,8N1', 'endpoint'],
    ['rtu:/dev/ttyUSB0:9600,8N', 'endpoint'],
    ['rtu:/dev/ttyUSB0:9600,7E1', 'data_bits'],
    ['rtu:/dev/ttyUSB0:9600,8N3', 'stop_bits'],
    ['ascii:/dev/ttyUSB0:9600,9N1', 'data_bits'],
    ['ascii:/dev/ttyUSB0:49,7E1', 'baud_rate'],
  ])('refuses %j and names %s', (text, part) => {
    const where = part === 'endpoint' ? { field: part } : { field: 'endpoint', part };
    expect(() => parseEndpoint(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining(where),
      }),
    );
  });

  it('tells that RTU has no choice of data bits', () => {
    for (const bits of ['7E1', '9N1']) {
      const text = `rtu:/dev/ttyUSB0:9600,${bits}`;
      expect(() => parseEndpoint(text)).toThrow('RTU requires 8 data bits');
    }
  });

  it('lets a listener leave the port to the system', () => {
    expect(parseEndpoint('tcp:127.0.0.1:0', { listens: true })).toMatchObject({ port: 0 });
  });

  it.each([
    'tcp:plc:502',
    'tcp:[fe80::1%eth0]:502',
    'rtu-tcp:[::1]:4001',
    'rtu:/dev/ttyUSB0:9600,8N2',
    'ascii:/a:300,7O1',
  ])('gives back %s as it was', (text) => {
    expect(endpointText(parseEndpoint(text))).toBe(text);
  });
});

describe('endpointOfNetwork', () => {
  it('reads a network of the bench over TCP', () => {
    const network = { tcp: { host: 'plc', port: 502 } };
    expect(endpointText(endpointOfNetwork(network))).toBe('tcp:plc:502');
  });

  const serial = {
    port: '/dev/ttyUSB0',
    framing: 'ascii',
    baud_rate: 9600,
    data_bits: 7,
    parity: 'odd',
    stop_bits: 2,
  } as const;

  it('reads a serial network of the bench', () => {
    expect(endpointText(endpointOfNetwork({ serial }))).toBe('ascii:/dev/ttyUSB0:9600,7O2');
  });

  it('reads what a network says about pauses and late units', () => {
    const late = { late_ms: 3000, units: { 7: { probe: false } } };
    expect(endpointOfNetwork({ serial: { ...serial, gap_ms: 800, ...late } })).toMatchObject({
      gapMs: 800,
      lateMs: 3000,
      units: { 7: { probe: false } },
    });
    const tcp = { host: 'converter', port: 4001, framing: 'rtu', gap_ms: 2000, ...late } as const;
    expect(endpointOfNetwork({ tcp })).toMatchObject({
      kind: 'rtu-tcp',
      gapMs: 2000,
      lateMs: 3000,
      units: { 7: { probe: false } },
    });
  });

  it('refuses a device that is not named by its absolute path', () => {
    expect(() => endpointOfNetwork({ serial: { ...serial, port: 'ttyUSB0' } })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('absolute path'),
        details: { field: 'network', reason: 'relative_path', device: 'ttyUSB0' },
      }),
    );
  });

  it('refuses settings that the framing cannot work with', () => {
    expect(() => endpointOfNetwork({ serial: { ...serial, framing: 'rtu' } })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'data_bits' }) }),
    );
  });
});
