import type { Task } from '../../base/schedule/scheduler.ts';
import { frm2Flags, frm2Id, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import { linMasterRequestId, linSlaveResponseId, maxLinLength } from '../../frame/lin.ts';
import {
  functionalNad,
  isLinTransport,
  LinReceiver,
  LinSender,
} from '../../pdu/isotp/lin-transport.ts';
import { Pci, readPci } from '../../pdu/isotp/pci.ts';
import type { FrameFault } from '../ecu-server.ts';
import type { EcuPortOptions } from './can-ecu-port.ts';
import { type EcuPort, faultOf, misnumber } from './ecu-port.ts';
import { frameEndUs } from './isotp-frames.ts';

const never = Number.POSITIVE_INFINITY;
const nadBytes = 1;

/** A slave on LIN: each SlaveResp header reads the next frame of its response. */
export class LinEcuPort implements EcuPort {
  /** Several slaves would respond to one header. */
  readonly answersFunctional = false;
  readonly #options: EcuPortOptions;
  readonly #nad: number;
  readonly #timer: Task;
  readonly #sender: LinSender;
  readonly #receiver: LinReceiver;
  readonly #functional: LinReceiver;
  readonly #stopListening: readonly (() => void)[];
  readonly #pci = new Pci();
  readonly #bytes = new Uint8Array(maxLinLength);
  #faults: readonly FrameFault[] = [];
  #frame = 0;
  #isResponding = false;
  /** A frame is ready for the next header. */
  #isOffered = false;
  #heldUntilUs = never;
  readonly #next = new Uint8Array(maxLinLength);

  constructor(options: EcuPortOptions) {
    const { scheduler, channel, link, listener } = options;
    this.#options = options;
    const { settings } = link;
    const nad = settings.nad ?? 0;
    this.#nad = nad;
    // The master decides when it polls, and a fault can delay a frame.
    this.#sender = new LinSender({ id: linSlaveResponseId, nad, nAsUs: never });
    const nCrUs = settings.n_cr_ms * 1000;
    this.#receiver = new LinReceiver({
      nad,
      maxLength: settings.max_length,
      nCrUs,
      onPayload: (payload, atUs) => listener.requested(payload, false, atUs),
    });
    this.#functional = new LinReceiver({
      nad: functionalNad,
      isFunctional: true,
      nCrUs,
      onPayload: (payload, atUs) => listener.requested(payload, true, atUs),
    });
    this.#timer = scheduler.createTask('simulated ecu', (nowUs) => {
      this.#receiver.expire(nowUs);
      if (nowUs >= this.#heldUntilUs) {
        this.#heldUntilUs = never;
        this.#offer();
      }
      this.#arm();
      return undefined;
    });
    this.#stopListening = [
      channel.onFrame((record, at) => this.#hear(record, at)),
      channel.onSent((record, at) => this.#sent(record, at)),
    ];
  }

  get isResponding(): boolean {
    return this.#isResponding;
  }

  respond(payload: Uint8Array, faults: readonly FrameFault[]): void {
    this.#faults = faults;
    this.#frame = 0;
    this.#isResponding = true;
    const nowUs = this.#options.clock.monotonicUs();
    this.#sender.start(payload, nowUs);
    this.#prepare(nowUs);
  }

  abandon(): void {
    this.#isResponding = false;
    this.#withdraw();
    this.#sender.reset();
    this.#heldUntilUs = never;
    this.#arm();
  }

  close(): void {
    this.abandon();
    this.#timer.cancel();
    for (const stop of this.#stopListening) stop();
  }

  /** Offers the next frame to the master, or what its fault makes of it. */
  #prepare(nowUs: number): void {
    for (;;) {
      const frame = this.#sender.next(nowUs);
      if (!frame) break;
      this.#frame += 1;
      for (let i = 0; i < maxLinLength; i++) this.#next[i] = frame.data[i] as number;
      const fault = faultOf(this.#faults, this.#frame);
      if (fault?.kind === 'drop') {
        this.#sender.sent(nowUs);
        continue;
      }
      if (fault?.kind === 'sequence') misnumber(this.#next, nadBytes);
      if (fault?.kind === 'delay') this.#heldUntilUs = nowUs + fault.delayUs;
      else this.#offer();
      break;
    }
    if (!this.#isOffered && this.#heldUntilUs === never) this.#withdraw();
    this.#arm();
    if (!this.#isResponding || !this.#sender.isOver) return;
    this.#isResponding = false;
    this.#options.listener.ended(true, nowUs);
  }

  #offer(): void {
    const { hardware } = this.#options.channel;
    if (hardware.bus !== 'lin') return;
    hardware.setResponse(linSlaveResponseId, 0, this.#next, 0, maxLinLength);
    this.#isOffered = true;
  }

  #withdraw(): void {
    const { hardware } = this.#options.channel;
    if (hardware.bus === 'lin') hardware.clearResponse(linSlaveResponseId);
    this.#isOffered = false;
  }

  #sent(record: DataView, at: number): void {
    if (frm2Id(record, at) !== linSlaveResponseId || !this.#isOffered) return;
    this.#withdraw();
    const atUs = frameEndUs(this.#options.clock, record, at);
    this.#sender.sent(atUs);
    this.#prepare(atUs);
  }

  #hear(record: DataView, at: number): void {
    if (frm2Id(record, at) !== linMasterRequestId) return;
    if ((frm2Flags(record, at) & frameFlag.error) !== 0) return;
    const length = frm2PayloadLength(record, at);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) bytes[i] = record.getUint8(at + frm2.payload + i);
    if (!isLinTransport(bytes, 0, length)) return;
    const [nad] = bytes;
    const atUs = frameEndUs(this.#options.clock, record, at);
    readPci(this.#pci, bytes, 0, length, 1);
    if (nad === this.#nad) this.#receiver.received(this.#pci, bytes, 0, atUs);
    else if (nad === functionalNad) this.#functional.received(this.#pci, bytes, 0, atUs);
    else if (this.#isResponding) {
      // Another slave was addressed, which is the one to respond.
      this.abandon();
      this.#options.listener.ended(false, atUs);
    }
    this.#arm();
  }

  #arm(): void {
    const dueUs = Math.min(this.#receiver.deadlineUs, this.#heldUntilUs);
    if (dueUs === never) this.#timer.cancel();
    else this.#timer.scheduleAt(dueUs);
  }
}
