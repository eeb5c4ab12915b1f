import { BusbarError } from '../../base/errors/busbar-error.ts';
import { unknownName } from '../../base/suggest.ts';
import { pgnOf } from '../../database/j1939.ts';
import type { Message } from '../../database/model.ts';
import { frm2Channel, frm2Flags, frm2Id, frm2Status } from '../../frame/frm2-codec.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { LongRecord } from '../../frame/long-record.ts';
import type { LivePlan, SamplePage } from './live-plan.ts';
import type { PlanPart } from './plan-part.ts';
import type { Sample } from './sample-record.ts';

export interface SampleChoice {
  readonly plan: LivePlan;
  readonly signals: readonly string[] | null;
}

const idBits = 29;
const unusable = frameFlag.remote | frameFlag.error;

/**
 * Combines identifier and format in one small integer. Including the channel would exceed the
 * engine's small integers, and every key would be allocated.
 */
const keyOf = (id: number, extended: number): number =>
  (id & ((1 << idBits) - 1)) | (extended << idBits);

type PlansByKey = Map<number, readonly LivePlan[]>;

class ChannelPlans {
  readonly byId: PlansByKey = new Map();
  byGroup: PlansByKey | null = null;
  /** Plans of several messages. */
  several: readonly LivePlan[] = [];

  get isEmpty(): boolean {
    return this.byId.size === 0 && this.byGroup === null && this.several.length === 0;
  }

  add(plan: LivePlan): void {
    const { group, message } = plan;
    if (message === null) {
      this.several = [...this.several, plan];
      return;
    }
    if (group) this.byGroup ??= new Map();
    const [plans, key] = this.#placeOf(group, message);
    plans.set(key, [...(plans.get(key) ?? []), plan]);
  }

  remove(plan: LivePlan): void {
    const { group, message } = plan;
    if (message === null) {
      this.several = this.several.filter((other) => other !== plan);
      return;
    }
    const [plans, key] = this.#placeOf(group, message);
    const left = plans.get(key)?.filter((other) => other !== plan) ?? [];
    if (left.length > 0) plans.set(key, left);
    else plans.delete(key);
    if (this.byGroup?.size === 0) this.byGroup = null;
  }

  #placeOf(
    group: LivePlan['group'],
    { id, extended }: Pick<Message, 'id' | 'extended'>,
  ): [PlansByKey, number] {
    if (group) return [this.byGroup ?? new Map(), group.pgn];
    return [this.byId, keyOf(id, extended ? 1 : 0)];
  }
}

const isGood = (view: DataView, at: number): boolean =>
  (frm2Flags(view, at) & unusable) === 0 && frm2Status(view, at) === 0;

const planNotFound = (plan: string): BusbarError =>
  new BusbarError('plan_not_found', { details: { plan } });

export class PlanSet {
  readonly #plans = new Map<string, LivePlan>();
  readonly #channels = new Map<number, ChannelPlans>();
  #nextSequence: number;
  #missedRecords = 0;
  #interruptedAt = 0;
  onRemoved: () => void = () => {};
  /**
   * Called for a plan that failed to decode or store a frame. The plan is removed; the others
   * continue.
   */
  onFailed: (plan: LivePlan, thrown: unknown) => void = () => {};

  /**
   * Sequences continue from one set to the next, so an old cursor never matches a new sample.
   */
  constructor(firstSequence = 1) {
    this.#nextSequence = firstSequence;
  }

  get newestSequence(): number {
    return this.#nextSequence - 1;
  }

  get missedRecords(): number {
    return this.#missedRecords;
  }

  /** Sequence assigned to the last loss; 0 if none. */
  get interruptedAt(): number {
    return this.#interruptedAt;
  }

  add(plan: LivePlan): void {
    const { planId, channel } = plan;
    if (this.#plans.has(planId))
      throw new BusbarError('already_exists', { details: { plan: planId } });
    this.#plans.set(planId, plan);
    const plans = this.#channels.get(channel) ?? new ChannelPlans();
    this.#channels.set(channel, plans);
    plans.add(plan);
  }

  remove(planId: string): LivePlan {
    const plan = this.get(planId);
    this.#plans.delete(planId);
    const plans = this.#channels.get(plan.channel);
    plans?.remove(plan);
    if (plans?.isEmpty) this.#channels.delete(plan.channel);
    plan.isRemoved = true;
    this.onRemoved();
    return plan;
  }

  clear(): void {
    for (const plan of this.#plans.values()) plan.isRemoved = true;
    this.#plans.clear();
    this.#channels.clear();
    this.onRemoved();
  }

  get(planId: string): LivePlan {
    const plan = this.#plans.get(planId);
    if (plan === undefined) throw planNotFound(planId);
    return plan;
  }

  list(): LivePlan[] {
    return [...this.#plans.values()];
  }

  /**
   * Selects signals of several plans by name, or all. Each name must exist in at least one
   * plan.
   */
  choose(planIds: readonly string[], signals: readonly string[] | null): SampleChoice[] {
    const plans = [...new Set(planIds)].map((planId) => this.get(planId));
    if (signals === null) return plans.map((plan) => ({ plan, signals }));
    const unknown = signals.find((signal) => !plans.some((plan) => plan.has(signal)));
    if (unknown !== undefined) {
      throw unknownName(
        'signal_not_found',
        {
          message: `No such signal: ${unknown}`,
          details: { field: 'signal', plan: planIds.join(), signal: unknown },
        },
        unknown,
        plans.flatMap((plan) => plan.signals.map(({ name }) => name)),
      );
    }
    return plans
      .map((plan) => ({ plan, signals: signals.filter((signal) => plan.has(signal)) }))
      .filter((choice) => choice.signals.length > 0);
  }

  latest(planId: string, signal: string): Sample {
    return this.get(planId).latest(signal);
  }

  /** Past samples; `cursor_expired` if samples after `after` were overwritten. */
  history(planId: string, signal: string, after: number, limit: number): SamplePage {
    return this.get(planId).history(signal, after, limit, this.newestSequence);
  }

  /**
   * Offers the FRM2 record at an offset to the plans. Only valid frames count, received or sent. Returns whether a plan decoded it.
   */
  take(view: DataView, at: number): boolean {
    const channel = this.#channels.get(frm2Channel(view, at));
    if (channel === undefined) return false;
    const flags = frm2Flags(view, at);
    const plans = channel.byId.get(keyOf(frm2Id(view, at), flags & frameFlag.extended));
    const { several } = channel;
    const isWhole = several.length > 0 && this.#offerToSeveral(several, view, at);
    const isTaken = (plans !== undefined && this.#offer(plans, view, at)) || isWhole;
    // Checked only with plans for parameter groups, and for frames that can belong to one.
    const { byGroup } = channel;
    if (byGroup === null || (flags & frameFlag.extended) === 0) return isTaken;
    const groupPlans = byGroup.get(pgnOf(frm2Id(view, at)));
    return (groupPlans !== undefined && this.#offerToGroup(groupPlans, view, at)) || isTaken;
  }

  /** The same for a payload that is longer than a frame, which only J1939 messages have. */
  takeLong({ view, length }: LongRecord): boolean {
    const channel = this.#channels.get(frm2Channel(view, 0));
    if (channel === undefined) return false;
    const id = frm2Id(view, 0);
    let isTaken = false;
    for (const plan of channel.several) {
      const part = plan.partFor(keyOf(id, frameFlag.extended), id, true);
      if (part?.message.pgn === undefined) continue;
      isTaken = true;
      this.#give(plan, view, 0, part, length);
    }
    for (const plan of channel.byGroup?.get(pgnOf(id)) ?? []) {
      if (plan.group?.takes(id) !== true) continue;
      isTaken = true;
      this.#give(plan, view, 0, undefined, length);
    }
    return isTaken;
  }

  #offer(plans: readonly LivePlan[], view: DataView, at: number): boolean {
    if (!isGood(view, at)) return false;
    for (const plan of plans) this.#give(plan, view, at);
    return true;
  }

  #offerToSeveral(plans: readonly LivePlan[], view: DataView, at: number): boolean {
    if (!isGood(view, at)) return false;
    const id = frm2Id(view, at);
    const extended = frm2Flags(view, at) & frameFlag.extended;
    const key = keyOf(id, extended);
    let isTaken = false;
    for (const plan of plans) {
      const part = plan.partFor(key, id, extended !== 0);
      if (part === null) continue;
      isTaken = true;
      this.#give(plan, view, at, part);
    }
    return isTaken;
  }

  #offerToGroup(plans: readonly LivePlan[], view: DataView, at: number): boolean {
    if (!isGood(view, at)) return false;
    let isTaken = false;
    for (const plan of plans) {
      if (plan.group?.takes(frm2Id(view, at)) !== true) continue;
      isTaken = true;
      this.#give(plan, view, at);
    }
    return isTaken;
  }

  #give(plan: LivePlan, view: DataView, at: number, part?: PlanPart, length?: number): void {
    try {
      this.#nextSequence += plan.take(view, at, this.#nextSequence, part, length);
    } catch (thrown) {
      this.remove(plan.planId);
      this.onFailed(plan, thrown);
    }
  }

  /**
   * Reports lost records. Any plan can lack samples. The loss has its own sequence, so streams
   * report it once to each client.
   */
  missed(records: number): void {
    if (records <= 0) return;
    this.#missedRecords += records;
    this.#interruptedAt = this.#nextSequence++;
  }
}
