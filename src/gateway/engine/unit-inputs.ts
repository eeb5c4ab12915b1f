import type { ClientWrite } from '../modbus/server-image.ts';
import type { CompiledPoll, CompiledServer, CompiledUnits } from './compile-units.ts';
import type { InputBinding } from './input-binding.ts';
import type { InputBlock } from './input-block.ts';
import { ItemInbox } from './item-inbox.ts';
import type { RoundTime } from './round-time.ts';
import type { TaskStates } from './task-states.ts';

/** What comes from units: answers to polls, and what clients write. It waits for the next round, as frames do. */
export class UnitInputs {
  readonly #units: CompiledUnits;
  readonly #states: TaskStates;
  readonly #time: RoundTime;
  /** Gives a binding its next deadline. */
  readonly #observed: (binding: InputBinding) => void;
  readonly #inbox = new ItemInbox();
  readonly #fresh: InputBlock[] = [];

  constructor(
    units: CompiledUnits,
    states: TaskStates,
    time: RoundTime,
    observed: (binding: InputBinding) => void,
  ) {
    this.#units = units;
    this.#states = states;
    this.#time = time;
    this.#observed = observed;
  }

  get isEmpty(): boolean {
    return this.#inbox.size === 0;
  }

  polled(poll: number, items: Uint16Array, atUs: number): void {
    const { block } = this.#units.polls[poll] as CompiledPoll;
    this.#inbox.beginGroup();
    this.#inbox.add(block, items, 0, atUs);
  }

  pollRefused(poll: number, atUs: number): void {
    this.#inbox.addRefusal((this.#units.polls[poll] as CompiledPoll).block, atUs);
  }

  written(server: number, write: ClientWrite, atUs: number): void {
    const { image, blocks } = this.#units.servers[server] as CompiledServer;
    this.#inbox.beginGroup();
    image.spread(write, (resource, items, first) => {
      const block = blocks[resource];
      if (block) this.#inbox.add(block, items, first, atUs);
    });
  }

  clear(): void {
    this.#inbox.clear();
    this.forgetFresh();
  }

  /** Gives bindings all that has come. */
  drain(): void {
    const inbox = this.#inbox;
    for (let first = 0; first < inbox.size; ) {
      const end = inbox.endOfGroup(first);
      for (let index = first; index < end; index++) {
        if (inbox.isRefusalAt(index) || inbox.isReplacedAt(index)) continue;
        inbox.blockAt(index).remember(inbox.bytes, inbox.offsetAt(index));
      }
      for (; first < end; first++) this.#observe(first);
    }
    inbox.clear();
  }

  /** A round sees what was drained: what comes later replaces nothing. */
  forgetFresh(): void {
    const fresh = this.#fresh;
    // Cutting an array short costs as much as the rest of a small round.
    if (fresh.length === 0) return;
    for (let index = 0; index < fresh.length; index++) (fresh[index] as InputBlock).isFresh = false;
    fresh.length = 0;
  }

  /** The unit of an endpoint cannot be reached. */
  disconnect(endpoint: number): void {
    for (const unit of this.#units.units) {
      if (unit.endpoint !== endpoint) continue;
      // What told of validity is worth nothing, either; a server has its memory still.
      if (!unit.isServer) unit.memory.fill(0);
      for (const binding of unit.bindings) binding.disconnect();
    }
  }

  /** Yields after each binding. */
  *reset(): Generator<() => void> {
    for (const { memory, bindings, mirrors } of this.#units.units) {
      memory.fill(0);
      for (const binding of bindings) yield () => binding.reset();
      for (const mirror of mirrors) yield () => mirror.reset();
    }
  }

  #observe(index: number): void {
    const inbox = this.#inbox;
    if (inbox.isReplacedAt(index)) {
      this.#states.countInstance('pollCoalesced');
      return;
    }
    const block = inbox.blockAt(index);
    if (inbox.isRefusalAt(index)) block.refuse();
    else {
      // What no round has seen was replaced.
      if (block.isFresh) this.#states.countInstance('pollCoalesced');
      else this.#fresh.push(block);
      block.isFresh = true;
      this.#time.observedUs = inbox.timeAt(index);
      block.observe();
    }
    const { bindings } = block;
    for (let place = 0; place < bindings.length; place++) {
      this.#observed(bindings[place] as InputBinding);
    }
  }
}
