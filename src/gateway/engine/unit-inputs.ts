import type { ClientWrite } from '../modbus/server-image.ts';
import type { CompiledPoll, CompiledServer, CompiledUnits } from './compile-units.ts';
import type { InputBlock } from './input-block.ts';
import type { InputBinding } from './input-message.ts';
import type { RoundTime } from './signal-states.ts';
import type { TaskStates } from './task-states.ts';

const initialCapacity = 64;

const initialBytes = 4096;

class ItemInbox {
  size = 0;
  bytes = new Uint8Array(initialBytes);
  #used = 0;
  readonly #blocks: InputBlock[] = [];
  #offsets = new Uint32Array(initialCapacity);
  #times = new Float64Array(initialCapacity);
  #groups = new Uint32Array(initialCapacity);
  #isRefusal = new Uint8Array(initialCapacity);
  #group = 0;

  beginGroup(): void {
    this.#group += 1;
  }

  add(block: InputBlock, items: Uint16Array, first: number, atUs: number): void {
    const { length } = block;
    while (this.#used + length > this.bytes.length) {
      this.bytes = grown(this.bytes, new Uint8Array(2 * this.bytes.length));
    }
    block.pack(items, first, this.bytes, this.#used);
    block.latest = this.size;
    this.#push(block, atUs, 0);
    this.#used += length;
  }

  addRefusal(block: InputBlock, atUs: number): void {
    this.beginGroup();
    this.#push(block, atUs, 1);
  }

  blockAt(index: number): InputBlock {
    return this.#blocks[index] as InputBlock;
  }

  offsetAt(index: number): number {
    return this.#offsets[index] as number;
  }

  timeAt(index: number): number {
    return this.#times[index] as number;
  }

  isRefusalAt(index: number): boolean {
    return this.#isRefusal[index] === 1;
  }

  isReplacedAt(index: number): boolean {
    return this.#isRefusal[index] === 0 && this.blockAt(index).latest !== index;
  }

  endOfGroup(index: number): number {
    const group = this.#groups[index];
    let end = index + 1;
    while (end < this.size && this.#groups[end] === group) end += 1;
    return end;
  }

  clear(): void {
    this.size = 0;
    this.#used = 0;
  }

  #push(block: InputBlock, atUs: number, refusal: 0 | 1): void {
    const { size } = this;
    if (size === this.#times.length) this.#grow();
    this.#blocks[size] = block;
    this.#offsets[size] = this.#used;
    this.#times[size] = atUs;
    this.#groups[size] = this.#group;
    this.#isRefusal[size] = refusal;
    this.size = size + 1;
  }

  #grow(): void {
    const capacity = 2 * this.#times.length;
    this.#offsets = grown(this.#offsets, new Uint32Array(capacity));
    this.#times = grown(this.#times, new Float64Array(capacity));
    this.#groups = grown(this.#groups, new Uint32Array(capacity));
    this.#isRefusal = grown(this.#isRefusal, new Uint8Array(capacity));
  }
}

const grown = <Numbers extends Uint8Array | Uint32Array | Float64Array>(
  from: Numbers,
  to: Numbers,
): Numbers => {
  to.set(from);
  return to;
};

/** Queues poll responses and client writes for the next round. */
export class UnitInputs {
  readonly #units: CompiledUnits;
  readonly #states: TaskStates;
  readonly #time: RoundTime;
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

  /** Called after a round: items that arrive later replace nothing. */
  forgetFresh(): void {
    const fresh = this.#fresh;
    // In a small round, truncating an empty array is comparatively expensive.
    if (fresh.length === 0) return;
    for (let index = 0; index < fresh.length; index++) (fresh[index] as InputBlock).isFresh = false;
    fresh.length = 0;
  }

  disconnect(endpoint: number): void {
    for (const unit of this.#units.units) {
      if (unit.endpoint !== endpoint) continue;
      // Validity bits are invalid too. A server retains its memory.
      if (!unit.isServer) unit.memory.fill(0);
      for (const binding of unit.bindings) binding.disconnect();
    }
  }

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
      // The earlier items were replaced before a round processed them.
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
