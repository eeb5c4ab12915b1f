import { BusbarError } from '../../base/errors/busbar-error.ts';
import { VirtualCanChannel } from './virtual-can-channel.ts';
import type { VirtualDevice } from './virtual-device.ts';
import { VirtualLinChannel } from './virtual-lin-channel.ts';

const noSuchChannel = (port: number, bus: string): BusbarError =>
  new BusbarError('internal_error', { message: `Port ${port} is not open as a ${bus} channel` });

/** What can be made to go wrong on the virtual device. For tests; nothing a user calls gets here. */
export class VirtualFaults {
  readonly #device: VirtualDevice;

  constructor(device: VirtualDevice) {
    this.#device = device;
  }

  /** Destroys the next attempts of a CAN port to send. */
  bitErrors(port: number, attempts: number): void {
    this.#canChannel(port).node.bitErrors = attempts;
  }

  /** Makes the next responses of a LIN port carry a wrong checksum, written ones included. */
  wrongChecksums(port: number, responses: number): void {
    this.#linChannel(port).node.faults.wrongChecksums = responses;
  }

  /** Keeps a LIN port silent where it would respond. */
  droppedResponses(port: number, responses: number): void {
    this.#linChannel(port).node.faults.droppedResponses = responses;
  }

  /** Makes the next responses of a LIN port begin late. */
  slowResponses(port: number, responses: number, byUs: number): void {
    const { faults } = this.#linChannel(port).node;
    faults.slowResponses = responses;
    faults.slowByUs = byUs;
  }

  /** Unplugs the device. */
  loseDevice(): void {
    this.#device.lose();
  }

  /** Plugs it in again. */
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
