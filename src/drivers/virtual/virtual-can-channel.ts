import { frameFlag } from '../../frame/frm2-layout.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type { CanChannel, SendResult } from '../driver-channel.ts';
import { CanBus } from './can-bus.ts';
import { CanNode } from './can-node.ts';
import { VirtualChannel, type VirtualChannelParts } from './virtual-channel.ts';

/** A CAN port of the virtual device. */
export class VirtualCanChannel extends VirtualChannel implements CanChannel {
  readonly bus: 'can' | 'canfd';
  readonly node: CanNode;
  readonly #shared: CanBus;
  /** Flags of frames that the bus does not know. */
  readonly #impossible: number;
  #on: CanBus;

  constructor(parts: VirtualChannelParts, shared: CanBus, filters: readonly IdPredicate[]) {
    super(parts);
    this.bus = parts.settings.bus === 'canfd' ? 'canfd' : 'can';
    this.#impossible = frameFlag.error | (this.bus === 'can' ? frameFlag.fd : 0);
    this.#shared = shared;
    this.#on = shared;
    this.node = new CanNode(parts.reporter, filters);
    this.putOnBus();
  }

  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult {
    if (!this.present) return 'lost';
    if ((flags & this.#impossible) !== 0) return 'not_on_bus';
    const { node } = this;
    if (node.listenOnly) return 'listen_only';
    const nowUs = this.time.catchUp(this.#on);
    // A report on the way here may have changed everything, down to closing the channel.
    if (!this.present) return 'lost';
    if (node.isBusOff) return 'bus_off';
    if (!node.enqueue(id, flags, dlc, data, offset, length, nowUs)) return 'full';
    this.time.attend(this.#on);
    return 'accepted';
  }

  recover(): void {
    if (!this.present) return;
    const nowUs = this.time.catchUp(this.#on);
    this.#on.recover(this.node, nowUs);
    this.time.attend(this.#on);
  }

  protected get segment(): CanBus {
    return this.#on;
  }

  protected get pending(): number {
    return this.node.queue.size;
  }

  protected get severity(): number {
    return this.node.severity;
  }

  protected get txErrorCount(): number {
    return this.node.counters.transmit;
  }

  protected get rxErrorCount(): number {
    return this.node.counters.receive;
  }

  protected takeOffBus(nowUs: number): void {
    this.#on.leave(this.node, nowUs);
    if (this.#on !== this.#shared) this.time.remove(this.#on);
    this.node.failQueue(nowUs);
  }

  protected putOnBus(): void {
    this.node.start(this.settings);
    this.#on = this.#shared;
    if (this.settings.mode === 'loopback') {
      this.#on = new CanBus({ loopback: true });
      this.time.add(this.#on);
    }
    this.#on.join(this.node);
  }

  /** Wiring makes no difference on a simulated bus. */
  protected applyQuietly(): void {}
}
