import { usesEnhancedChecksum } from '../../frame/lin.ts';
import type { LinChannel, LinReadDone } from '../driver-channel.ts';
import { linAction } from '../lin/lin-tx-queue.ts';
import type { SendResult } from '../send-result.ts';
import { severity } from './can-error-counters.ts';
import type { LinBus } from './lin-bus.ts';
import { LinNode } from './lin-node.ts';
import { VirtualChannel, type VirtualChannelParts } from './virtual-channel.ts';

/** A LIN port of the virtual device. */
export class VirtualLinChannel extends VirtualChannel implements LinChannel {
  readonly bus = 'lin';
  readonly node: LinNode;
  readonly #on: LinBus;

  constructor(parts: VirtualChannelParts, on: LinBus) {
    super(parts);
    this.#on = on;
    this.node = new LinNode(parts.reporter);
    this.putOnBus();
  }

  masterWrite(
    id: number,
    flags: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult {
    const result = this.#queue(linAction.write, id, flags, length);
    if (result === 'accepted') this.node.queue.fillLast(data, offset, length);
    return result;
  }

  masterRead(id: number, flags: number, length: number, done: LinReadDone): SendResult {
    return this.#queue(linAction.read, id, flags, length, done);
  }

  syncBreak(): SendResult {
    return this.#queue(linAction.syncBreak, 0, 0, 0);
  }

  wakeUp(): SendResult {
    return this.#queue(linAction.wakeUp, 0, 0, 0);
  }

  setResponse(id: number, flags: number, data: Uint8Array, offset: number, length: number): void {
    // A header that was there before this call gets the response that was there before it.
    if (this.present) this.time.catchUp(this.#on);
    this.node.responses.set(id, usesEnhancedChecksum(id, flags), data, offset, length);
  }

  clearResponse(id: number): void {
    if (this.present) this.time.catchUp(this.#on);
    this.node.responses.clear(id);
  }

  check(): SendResult {
    const result = this.#checkPort();
    return result === 'accepted' && !this.node.isMaster ? 'not_master' : result;
  }

  #checkPort(): SendResult {
    if (!this.present) return 'lost';
    if (this.node.listenOnly) return 'listen_only';
    return this.node.powered ? 'accepted' : 'unpowered';
  }

  #queue(
    action: number,
    id: number,
    flags: number,
    length: number,
    done?: LinReadDone,
  ): SendResult {
    const { node } = this;
    const refusal = action === linAction.wakeUp ? this.#checkPort() : this.check();
    if (refusal !== 'accepted') return refusal;
    const atUs = this.#on.reportingUs ?? this.time.catchUp(this.#on);
    if (!this.present) return 'lost';
    if (!node.queue.push(action, id, usesEnhancedChecksum(id, flags), length, atUs, done))
      return 'full';
    this.time.attend(this.#on);
    return 'accepted';
  }

  protected get segment(): LinBus {
    return this.#on;
  }

  get pending(): number {
    if (this.present) this.time.catchUp(this.segment);
    return this.node.queue.size;
  }

  protected get queued(): number {
    return this.node.queue.size;
  }

  protected get severity(): number {
    return severity.active;
  }

  protected get txErrorCount(): number {
    return 0;
  }

  protected get rxErrorCount(): number {
    return 0;
  }

  protected takeOffBus(nowUs: number): void {
    this.#on.leave(this.node, nowUs);
    this.node.abandonQueue(nowUs);
  }

  protected putOnBus(): void {
    this.node.start(this.settings);
    this.#on.join(this.node);
  }

  protected applyQuietly(): void {
    this.node.apply(this.settings);
  }
}
