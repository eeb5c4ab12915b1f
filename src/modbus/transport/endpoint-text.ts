import { isAbsolute } from 'node:path';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { Parity, SerialSettings } from '../../base/serial/serial-settings.ts';
import type {
  Endpoint,
  LinkSettings,
  SerialEndpoint,
  SerialKind,
  TcpEndpoint,
  TcpKind,
} from './endpoint.ts';
import {
  baudRateRange,
  dataBitsRange,
  type LineSettings,
  type ModbusNetwork,
  stopBitsRange,
  tcpPortRange,
} from './network-record.ts';
import { tcpKindOf } from './notation/endpoint-notation.ts';

const parityOfLetter: Readonly<Record<string, Parity>> = { N: 'none', E: 'even', O: 'odd' };

export const defaultSettings: Readonly<Record<SerialKind, SerialSettings>> = {
  rtu: { baudRate: 19_200, dataBits: 8, parity: 'even', stopBits: 1 },
  ascii: { baudRate: 19_200, dataBits: 7, parity: 'even', stopBits: 1 },
};

const malformed = (message: string): BusbarError =>
  invalidArgument('endpoint', message, { reason: 'malformed' });

interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

const outOfRange = (
  field: string,
  value: number,
  { minimum, maximum }: Range,
): BusbarError | undefined =>
  Number.isInteger(value) && value >= minimum && value <= maximum
    ? undefined
    : invalidArgument(field, `${field} is an integer from ${minimum} to ${maximum}`, {
        reason: 'range',
        minimum,
        maximum,
      });

const requireWithin = (field: string, value: number, range: Range): number => {
  const refusal = outOfRange(field, value, range);
  if (refusal) throw refusal;
  return value;
};

const tcpEndpoint = (
  kind: TcpKind,
  host: string,
  port: number,
  lowestPort: number,
): TcpEndpoint => {
  if (host === '') throw malformed('The host is missing');
  return {
    kind,
    host,
    port: requireWithin('port', port, { ...tcpPortRange, minimum: lowestPort }),
  };
};

/** A relative path would start at the daemon's directory, not at the caller's. */
const requireAbsolute = (field: string, device: string): string => {
  if (isAbsolute(device)) return device;
  throw invalidArgument(
    field,
    `A serial device must be given by its absolute path, such as /dev/ttyUSB0, not as ${device}`,
    { reason: 'relative_path', device },
  );
};

const serialEndpoint = (
  kind: SerialKind,
  device: string,
  baudRate: number,
  dataBits: number,
  parity: Parity,
  stopBits: number,
): SerialEndpoint => {
  requireWithin('baud_rate', baudRate, baudRateRange);
  if (kind === 'rtu' && dataBits !== 8) {
    throw invalidArgument('data_bits', 'RTU requires 8 data bits', {
      reason: 'range',
      minimum: 8,
      maximum: 8,
    });
  }
  requireWithin('data_bits', dataBits, dataBitsRange);
  requireWithin('stop_bits', stopBits, stopBitsRange);
  const settings: SerialSettings = {
    baudRate,
    dataBits: dataBits === 7 ? 7 : 8,
    parity,
    stopBits: stopBits === 2 ? 2 : 1,
  };
  return { kind, device, settings };
};

const parseTcp = (kind: TcpKind, rest: string, lowestPort: number): TcpEndpoint => {
  const found = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(rest);
  if (!found) {
    throw malformed(`A TCP endpoint is ${kind}:<host>:<port>, with IPv6 hosts in brackets`);
  }
  return tcpEndpoint(kind, found[1] ?? found[2] ?? '', Number(found[3]), lowestPort);
};

const deviceIn = (path: string): string => {
  if (path === '') throw malformed('The device is missing');
  return requireAbsolute('endpoint', path);
};

const parseSerial = (kind: SerialKind, rest: string): SerialEndpoint => {
  // Device paths may contain colons too, so settings are matched from the end.
  const found = /^(.*):(\d+)(?:,(\d)([NEO])(\d))?$/i.exec(rest);
  const { baudRate, dataBits, parity, stopBits } = defaultSettings[kind];
  if (!found && !/:\d*,[^/]*$/.test(rest)) {
    return serialEndpoint(kind, deviceIn(rest), baudRate, dataBits, parity, stopBits);
  }
  const letter = found?.[4]?.toUpperCase();
  const reportedParity = letter === undefined ? undefined : parityOfLetter[letter];
  if (!found || reportedParity === undefined) {
    throw malformed(`A serial endpoint is ${kind}:<device>:<baud>,<data><parity><stop>`);
  }
  const [path = '', baud, data, stop] = [found[1], found[2], found[3], found[5]];
  const device = deviceIn(path);
  return serialEndpoint(kind, device, Number(baud), Number(data), reportedParity, Number(stop));
};

/**
 * Parses `tcp:<host>:<port>`, `rtu-tcp:<host>:<port>`, `rtu:<device>` or `ascii:<device>`, the
 * last two optionally with `:<baud>,<data><parity><stop>`. Port 0 is for listeners.
 */
export const parseEndpoint = (text: string, { listens = false } = {}): Endpoint => {
  try {
    return readEndpoint(text, listens);
  } catch (thrown) {
    const { field: part } = BusbarError.from(thrown).details;
    // Callers have a single field for it.
    throw part === 'endpoint' ? thrown : withField('endpoint', thrown, { part });
  }
};

const readEndpoint = (text: string, listens: boolean): Endpoint => {
  const colon = text.indexOf(':');
  const kind = text.slice(0, Math.max(0, colon));
  const rest = text.slice(colon + 1);
  if (kind === 'tcp' || kind === 'rtu-tcp') return parseTcp(kind, rest, listens ? 0 : 1);
  if (kind === 'rtu' || kind === 'ascii') return parseSerial(kind, rest);
  throw malformed('An endpoint begins with tcp:, rtu-tcp:, rtu: or ascii:');
};

const linkSettingsOf = ({ gap_ms, late_ms, probe, units = {} }: LineSettings): LinkSettings => {
  const single = Object.entries(units).map(([unit, settings]) => [
    unit,
    { lateMs: settings.late_ms, probe: settings.probe },
  ]);
  return { gapMs: gap_ms, lateMs: late_ms, probe, units: Object.fromEntries(single) };
};

export const endpointOfNetwork = (network: ModbusNetwork): Endpoint => {
  if ('tcp' in network) {
    const { host, port, framing, ...link } = network.tcp;
    const endpoint = tcpEndpoint(tcpKindOf(framing), host, port, 1);
    return endpoint.kind === 'tcp' ? endpoint : { ...endpoint, ...linkSettingsOf(link) };
  }
  const { port, framing, baud_rate, data_bits, parity, stop_bits, ...link } = network.serial;
  const device = requireAbsolute('network', port);
  const endpoint = serialEndpoint(framing, device, baud_rate, data_bits, parity, stop_bits);
  return { ...endpoint, ...linkSettingsOf(link) };
};
