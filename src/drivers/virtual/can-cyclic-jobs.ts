import type { NotTaken } from '../send-result.ts';
import type { CanCyclicJob } from './can-cyclic-job.ts';

/** Jobs that a port has room for. */
export const cyclicSlots = 8;

/** The jobs of one simulated port, in the order in which they were started. */
export class CanCyclicJobs {
  readonly #jobs: CanCyclicJob[] = [];

  get isFull(): boolean {
    return this.#jobs.length >= cyclicSlots;
  }

  /** When the next frame is due; Infinity without jobs. */
  get dueUs(): number {
    return this.next?.dueUs ?? Number.POSITIVE_INFINITY;
  }

  /** The job whose frame is due first. */
  get next(): CanCyclicJob | undefined {
    let next: CanCyclicJob | undefined;
    for (let i = 0; i < this.#jobs.length; i++) {
      const job = this.#jobs[i];
      if (job && (!next || job.dueUs < next.dueUs)) next = job;
    }
    return next;
  }

  add(job: CanCyclicJob): void {
    this.#jobs.push(job);
  }

  remove(job: CanCyclicJob): void {
    const place = this.#jobs.indexOf(job);
    if (place >= 0) this.#jobs.splice(place, 1);
  }

  clear(): void {
    this.#jobs.length = 0;
  }

  /** When the first of their frames would be over, on a bus that is free from then on. */
  wholeUs(freeUs: number): number {
    let wholeUs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#jobs.length; i++) {
      const job = this.#jobs[i];
      if (job) wholeUs = Math.min(wholeUs, Math.max(freeUs, job.dueUs) + job.frameUs);
    }
    return wholeUs;
  }

  /** Fits the frames to the bit rate of the node. */
  measure(frameUs: (job: CanCyclicJob) => number): void {
    for (const job of this.#jobs) job.frameUs = frameUs(job);
  }

  /** Nothing could be sent until then. */
  refuse(untilUs: number, refusal: NotTaken): void {
    for (const job of this.#jobs) job.refuse(untilUs, refusal);
  }
}
