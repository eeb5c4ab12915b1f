/**
 * Runs the commands of its input on a serial port, one word per line, and prints the results. The
 * thread that reads the input answers `ping`: it must never block.
 */
import { createInterface } from 'node:readline';
import { BusbarError } from '../../errors/busbar-error.ts';
import { openSerialPort, type SerialPort } from '../serial-port.ts';

const [path = '', prompt] = process.argv.slice(2);
const say = (text: string): void => console.log(text);
let port: SerialPort | undefined;

const commands: Readonly<Record<string, () => void>> = {
  ping: () => say('pong'),
  open: () => {
    port = openSerialPort(
      {
        path,
        settings: { baudRate: 19_200, dataBits: 8, parity: 'none', stopBits: 1 },
        lowLatency: true,
        isPromptToControl: prompt === 'prompt',
      },
      {
        opened: () => say('opened'),
        bytes: (bytes) => say(`received ${Buffer.from(bytes)}`),
        closed: (error) => say(`closed ${error?.details.reason}`),
      },
      (peer, reason) => new BusbarError('hardware_error', { details: { peer, reason } }),
    );
  },
  write: () => port?.write(Buffer.from('bytes')),
  low: () => port?.setBreak(true, (failure) => say(failure ?? 'low')),
  high: () => port?.setBreak(false, (failure) => say(failure ?? 'high')),
  rate: () => port?.setBaudRate(9600, (failure) => say(failure ?? 'rate')),
  close: () => port?.close(),
};

for await (const line of createInterface({ input: process.stdin })) commands[line]?.();
