import type { FrameListener } from '../../bench/frame-listeners.ts';
import type { OffloadedCyclic } from '../../drivers/can-offload.ts';
import type { LinControl, PortControl } from '../../drivers/driver-channel.ts';
import { type Frame, frameFlags } from '../../frame/frame.ts';
import { frm2Id } from '../../frame/frm2-codec.ts';
import { lastErrorOf } from '../last-error.ts';
import { cannotOffload, mayOffload } from '../offload-request.ts';
import type { TaskProgress, TaskWork } from './task-work.ts';
import type { CyclicPlan } from './tx-task-request.ts';

/** A cyclic task that the device has taken over. */
class OffloadedTask implements TaskWork {
  readonly #job: OffloadedCyclic;

  constructor(job: OffloadedCyclic) {
    this.#job = job;
  }

  progress(): TaskProgress {
    const { isFinished, sent, failed, lastRefusal } = this.#job;
    return {
      state: isFinished ? 'finished' : 'running',
      offloaded: true,
      sent,
      failed,
      // A device that does not tell what failed does not tell what it was late for.
      missed: failed === null ? null : 0,
      lateness_us: null,
      last_error: lastErrorOf(lastRefusal),
    };
  }

  stop(): void {
    this.#job.stop();
  }
}

/** What a response needs of its channel. */
interface RespondingChannel {
  readonly hardware: LinControl;
  onSent(listener: FrameListener): () => void;
}

/** A response that a LIN node gives by itself whenever a master asks for it. */
class ResponseTask implements TaskWork {
  readonly #hardware: LinControl;
  readonly #frame: Frame;
  readonly #stopCounting: () => void;
  #sent = 0;

  constructor(channel: RespondingChannel, frame: Frame) {
    this.#hardware = channel.hardware;
    this.#frame = frame;
    this.#stopCounting = channel.onSent((record, at) => {
      if (frm2Id(record, at) === frame.id) this.#sent += 1;
    });
    this.restore();
  }

  restore(): void {
    const { id, data } = this.#frame;
    this.#hardware.setResponse(id, frameFlags(this.#frame), data, 0, data.length);
  }

  progress(): TaskProgress {
    return {
      state: 'running',
      offloaded: true,
      // What a master sends itself looks the same as its response.
      sent: this.#hardware.settings.lin?.role === 'master' ? null : this.#sent,
      failed: 0,
      missed: 0,
      lateness_us: null,
      last_error: null,
    };
  }

  stop(): void {
    this.#stopCounting();
    this.#hardware.clearResponse(this.#frame.id);
  }
}

const startedJob = (
  frame: Frame,
  { pattern, periodUs, count }: CyclicPlan,
  hardware: PortControl,
): OffloadedCyclic | undefined => {
  if (hardware.bus === 'lin' || pattern !== 'fixed') return undefined;
  const { id, dlc, data } = frame;
  const flags = frameFlags(frame);
  return hardware.offload?.startCyclic({ id, flags, dlc, data, periodUs, count });
};

/** Lets the device do it, if it can and may. A request that insists is refused where it cannot. */
export const offloadedTask = (
  frame: Frame,
  plan: CyclicPlan,
  hardware: PortControl,
): TaskWork | undefined => {
  const offload = hardware.bus === 'lin' ? undefined : hardware.offload;
  if (!mayOffload(plan.offload, offload)) return undefined;
  const job = startedJob(frame, plan, hardware);
  if (!job && plan.offload) throw cannotOffload('send these frames');
  return job && new OffloadedTask(job);
};

export const responseTask = (channel: RespondingChannel, frame: Frame): TaskWork =>
  new ResponseTask(channel, frame);
