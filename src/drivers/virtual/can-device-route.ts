import { frameFlag } from '../../frame/frm2-layout.ts';
import type { RouteJob } from '../can-offload.ts';
import type { RefusedSend } from '../send-result.ts';
import type { CanDevicePort } from './can-device-port.ts';
import type { CanWireFrame } from './can-wire-frame.ts';

export class CanDeviceRoute {
  matched = 0;
  sent = 0;
  failed = 0;
  lastRefusal: RefusedSend | undefined;
  readonly source: CanDevicePort;
  readonly target: CanDevicePort;
  readonly #mask: number;
  readonly #bits: number;
  readonly #extended: number;
  readonly #targetId: number | undefined;

  constructor(source: CanDevicePort, target: CanDevicePort, job: RouteJob) {
    this.source = source;
    this.target = target;
    this.#mask = job.mask;
    this.#bits = job.id & job.mask;
    this.#extended = job.extended ? frameFlag.extended : 0;
    this.#targetId = job.targetId;
  }

  offer(frame: CanWireFrame, atUs: number): void {
    const { id, flags } = frame;
    if ((id & this.#mask) !== this.#bits) return;
    if ((flags & frameFlag.extended) !== this.#extended) return;
    this.matched += 1;
    const result = this.target.forward(frame, this.#targetId ?? id, atUs);
    if (result === 'accepted') {
      this.sent += 1;
    } else {
      this.failed += 1;
      this.lastRefusal = result;
    }
  }
}
