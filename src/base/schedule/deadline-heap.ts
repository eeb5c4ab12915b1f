/** An entry stores its own index, so it can be moved without a search. */
export interface HeapEntry {
  heapIndex: number;
}

const initialCapacity = 64;

/**
 * A binary min-heap of deadlines; ties keep insertion order. Keys are in flat arrays, so
 * nothing is allocated.
 */
export class DeadlineHeap<Entry extends HeapEntry> {
  /** Infinity when empty. A field, since returning a number allocates. */
  firstDeadline = Number.POSITIVE_INFINITY;
  #deadlines = new Float64Array(initialCapacity);
  #orders = new Float64Array(initialCapacity);
  readonly #entries: Entry[] = [];
  #nextOrder = 0;

  get size(): number {
    return this.#entries.length;
  }

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  /** Adds or moves an entry, after entries with the same deadline. */
  put(entry: Entry, deadline: number): void {
    let index = entry.heapIndex;
    if (index < 0) {
      index = this.#entries.length;
      this.#entries.push(entry);
      if (index >= this.#deadlines.length) this.#grow();
    }
    this.#set(index, entry, deadline, this.#nextOrder++);
    this.#restore(index);
    this.firstDeadline = this.#deadlineAt(0);
  }

  remove(entry: Entry): void {
    const index = entry.heapIndex;
    if (index < 0) return;
    entry.heapIndex = -1;
    const lastIndex = this.#entries.length - 1;
    if (index < lastIndex) this.#copy(lastIndex, index);
    this.#entries.pop();
    if (index < lastIndex) this.#restore(index);
    this.firstDeadline = lastIndex === 0 ? Number.POSITIVE_INFINITY : this.#deadlineAt(0);
  }

  #restore(index: number): void {
    if (index > 0 && this.#isBefore(index, (index - 1) >> 1)) this.#siftUp(index);
    else this.#siftDown(index);
  }

  #siftUp(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #siftDown(from: number): void {
    const size = this.#entries.length;
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) return;
      if (child + 1 < size && this.#isBefore(child + 1, child)) child++;
      if (!this.#isBefore(child, index)) return;
      this.#swap(index, child);
      index = child;
    }
  }

  #isBefore(index: number, other: number): boolean {
    const deadline = this.#deadlineAt(index);
    const otherDeadline = this.#deadlineAt(other);
    if (deadline !== otherDeadline) return deadline < otherDeadline;
    return this.#orderAt(index) < this.#orderAt(other);
  }

  #swap(index: number, other: number): void {
    const entry = this.#entries[index] as Entry;
    const deadline = this.#deadlineAt(index);
    const order = this.#orderAt(index);
    this.#copy(other, index);
    this.#set(other, entry, deadline, order);
  }

  #copy(from: number, to: number): void {
    this.#set(to, this.#entries[from] as Entry, this.#deadlineAt(from), this.#orderAt(from));
  }

  #set(index: number, entry: Entry, deadline: number, order: number): void {
    this.#entries[index] = entry;
    this.#deadlines[index] = deadline;
    this.#orders[index] = order;
    entry.heapIndex = index;
  }

  #deadlineAt(index: number): number {
    return this.#deadlines[index] as number;
  }

  #orderAt(index: number): number {
    return this.#orders[index] as number;
  }

  #grow(): void {
    const deadlines = new Float64Array(this.#deadlines.length * 2);
    const orders = new Float64Array(deadlines.length);
    deadlines.set(this.#deadlines);
    orders.set(this.#orders);
    this.#deadlines = deadlines;
    this.#orders = orders;
  }
}
