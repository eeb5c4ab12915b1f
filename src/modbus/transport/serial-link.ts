import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import { openSerialPort, type SerialPortOptions } from '../../base/serial/serial-port.ts';
import { unreachable } from './unreachable.ts';

export const openSerialLink = (options: SerialPortOptions, receiver: LinkReceiver): ByteLink =>
  openSerialPort(options, receiver, unreachable);
