import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { SystemClock } from '../../../base/clock/system-clock.ts';
import { type Alarm, Scheduler } from '../../../base/schedule/scheduler.ts';
import { eventually } from '../../../base/testing/eventually.ts';
import type { ResolvedTcpEndpoint } from '../../transport/endpoint.ts';
import { DataModel } from '../data-model.ts';
import { ModbusServer, type ServeOptions } from '../modbus-server.ts';

const alarmOn = (clock: SystemClock): Alarm => {
  const alarm: Alarm = {
    onRing: undefined,
    arm: (atUs) => {
      clock.after(Math.max(0, (atUs - clock.monotonicUs()) / 1000), () => {
        // A timer may fire a fraction early.
        if (clock.monotonicUs() < atUs) alarm.arm(atUs);
        else alarm.onRing?.();
      });
    },
  };
  return alarm;
};

export const systemPorts = () => {
  const clock = new SystemClock();
  const defects: unknown[] = [];
  const scheduler = new Scheduler({
    clock,
    alarm: alarmOn(clock),
    onError: (error) => void defects.push(error),
  });
  return { clock, scheduler, defects, onDefect: (thrown: unknown) => void defects.push(thrown) };
};

export const tcpEndpoint = (port = 0): ResolvedTcpEndpoint => ({
  kind: 'tcp',
  address: '127.0.0.1',
  port,
  key: `tcp:127.0.0.1:${port}`,
  text: `tcp:127.0.0.1:${port}`,
});

/** A raw client, so that tests define the bytes on the wire. */
export class RawClient {
  readonly socket: Socket;
  #received: Buffer[] = [];
  #length = 0;
  isClosed = false;

  constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.socket.on('data', (bytes) => {
      this.#received.push(bytes);
      this.#length += bytes.length;
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  get received(): Buffer {
    return Buffer.concat(this.#received);
  }

  send(hex: string): void {
    this.socket.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  }

  async hears(bytes: number): Promise<string> {
    await eventually(() => this.#length >= bytes || this.isClosed);
    const { received: heard } = this;
    this.#received = [heard.subarray(bytes)];
    this.#length = Math.max(0, heard.length - bytes);
    return heard.toString('hex', 0, bytes);
  }

  async leave(): Promise<void> {
    if (this.isClosed) return;
    this.socket.destroy();
    await once(this.socket, 'close');
  }

  async closes(): Promise<void> {
    await eventually(() => this.isClosed);
  }
}

/** A server on its own port, with raw clients. */
export class ServerRig {
  readonly model = new DataModel();
  readonly ports = systemPorts();
  readonly server = new ModbusServer(this.ports);
  readonly #clients: RawClient[] = [];
  port = 0;

  async start(options: Partial<ServeOptions> = {}, unit = 1): Promise<void> {
    const served = await this.server.start(tcpEndpoint(), unit, { model: this.model, ...options });
    if (served.kind === 'tcp') this.port = served.port;
  }

  connect(): RawClient {
    const client = new RawClient(this.port);
    this.#clients.push(client);
    return client;
  }

  async end(): Promise<void> {
    await this.server.stop();
    await Promise.all(this.#clients.map((client) => client.leave()));
  }
}
