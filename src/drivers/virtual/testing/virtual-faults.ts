import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { DriverContext } from '../../driver.ts';
import { VirtualCanChannel } from '../virtual-can-channel.ts';
import { type VirtualDevice, VirtualDriver, VirtualLinChannel } from '../virtual-driver.ts';

const noSuchChannel = (port: number, bus: string): BusbarError =>
  new BusbarError('internal_error', { message: `Port ${port} is not open as a ${bus} channel` });

/** Faults of the simulated device and its buses. */
class VirtualFaults {
  readonly #device: VirtualDevice;

  constructor(device: VirtualDevice) {
    this.#device = device;
  }

  bitErrors(port: number, attempts: number): void {
    this.#canChannel(port).node.bitErrors = attempts;
  }

  wrongChecksums(port: number, responses: number): void {
    this.#linChannel(port).node.faults.wrongChecksums = responses;
  }

  droppedResponses(port: number, responses: number): void {
    this.#linChannel(port).node.faults.droppedResponses = responses;
  }

  slowResponses(port: number, responses: number, byUs: number): void {
    const { faults } = this.#linChannel(port).node;
    faults.slowResponses = responses;
    faults.slowByUs = byUs;
  }

  loseDevice(): void {
    this.#device.lose();
  }

  returnDevice(): void {
    this.#device.comeBack();
  }

  #canChannel(port: number): VirtualCanChannel {
    const channel = this.#device.channelAt(port);
    if (channel instanceof VirtualCanChannel) return channel;
    throw noSuchChannel(port, 'CAN');
  }

  #linChannel(port: number): VirtualLinChannel {
    const channel = this.#device.channelAt(port);
    if (channel instanceof VirtualLinChannel) return channel;
    throw noSuchChannel(port, 'LIN');
  }
}

export class FaultyVirtualDriver extends VirtualDriver {
  readonly faults = new VirtualFaults(this.device);
}

export const createFaultyDriver = (context: DriverContext): FaultyVirtualDriver =>
  new FaultyVirtualDriver(context);
