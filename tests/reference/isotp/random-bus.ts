import { type Node, paperGapUs } from './paper-node.ts';
import { type HeardFrame, paperSegments, type Rules } from './paper-segments.ts';

type Random = () => number;

export interface Heard {
  readonly rules: Rules;
  readonly sent: readonly string[];
  readonly frames: readonly HeardFrame[];
  readonly outcomes: readonly string[] | null;
}

export interface BusResult {
  /** Without faults. */
  readonly isClean: boolean;
  /** What the node at each end of each pair received. */
  readonly received: readonly Heard[];
  /** Rules that a sender broke. */
  readonly broken: readonly string[];
}

interface Faults {
  readonly lost: number;
  readonly repeated: number;
  readonly late: number;
}

const upTo = (random: Random, most: number): number => Math.floor(random() * (most + 1));

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

const randomRules = (random: Random): Rules => {
  const fd = random() < 0.4;
  return {
    fd,
    txDl: fd ? pick(random, [8, 12, 16, 20, 24, 32, 48, 64]) : 8,
    addressByte: random() < 0.3 ? upTo(random, 255) : null,
    padding: random() < 0.5 ? pick(random, [0xcc, 0xaa, 0x55, 0, 0xff]) : null,
    blockSize: random() < 0.5 ? 0 : 1 + upTo(random, 9),
    stMin: pick(random, [0, 0, 0, 0xf1, 0xf9, 1, 5, 0x85]),
    maxLength: random() < 0.1 ? 100 : 5000,
  };
};

const randomLength = (random: Random): number => {
  const kind = random();
  if (kind < 0.2) return 1 + upTo(random, 63);
  if (kind < 0.97) return 8 + upTo(random, 150);
  return kind < 0.995 ? 160 + upTo(random, 800) : 4090 + upTo(random, 12);
};

/** Events in order of time, and of arrival at the same time. */
class Agenda {
  readonly #events: { us: number; act: () => void }[] = [];

  at(us: number, act: () => void): void {
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1] as { us: number }).us > us) index -= 1;
    this.#events.splice(index, 0, { us, act });
  }

  get nextUs(): number {
    return this.#events[0]?.us ?? Number.POSITIVE_INFINITY;
  }

  run(): void {
    this.#events.shift()?.act();
  }
}

const pciOf = (rules: Rules, data: readonly number[]): number =>
  data[rules.addressByte === null ? 0 : 1] as number;

/** One end of a pair: its node, the frames that reached it, and its messages to send. */
class End {
  readonly frames: HeardFrame[] = [];
  readonly sent: string[] = [];
  /** Frames of its message and flow controls for it that are not delivered yet. */
  underWay = 0;
  expected: string[] = [];
  allowed = 0;
  notBeforeUs = 0;
  nextStartUs: number | null = null;
  readonly node: Node;
  left: number;

  constructor(node: Node, left: number) {
    this.node = node;
    this.left = left;
  }
}

/**
 * Pairs of nodes with messages in both directions at the same time, on one bus that loses,
 * repeats and delays frames for their receiver. A node starts a message when nothing of its last
 * one is under way, because by the rules of ISO 15765-2 such a frame could be one of the next.
 * Repeated frames come before 16 others can be sent, for the same reason.
 */
export const randomBus = (
  random: Random,
  messages: number,
  nodeOf: (rules: Rules) => Node,
): BusResult => {
  const agenda = new Agenda();
  const broken: string[] = [];
  const isClean = random() < 0.2;
  const faults: Faults = isClean
    ? { lost: 0, repeated: 0, late: 0 }
    : { lost: 0.02, repeated: 0.01, late: 0.02 };
  let nowUs = 0;
  let busFreeUs = 0;
  const pairs = Array.from({ length: 4 }, () => {
    const rules = randomRules(random);
    const share = Math.ceil(messages / 8);
    return { rules, ends: [new End(nodeOf(rules), share), new End(nodeOf(rules), share)] as const };
  });

  const check = (
    rules: Rules,
    from: End,
    data: readonly number[],
    startUs: number,
    endUs: number,
  ): void => {
    const wanted = from.expected.shift();
    if (wanted !== data.join()) broken.push(`frame ${data.join()}, not ${wanted}`);
    if (startUs < from.notBeforeUs) broken.push('STmin');
    if (from.allowed === 0) broken.push('block');
    from.allowed -= 1;
    const isConsecutive = pciOf(rules, data) >> 4 === 2;
    from.notBeforeUs = isConsecutive ? endUs + paperGapUs(rules.stMin) : 0;
  };

  const transmit = (rules: Rules, from: End, to: End, data: readonly number[]): void => {
    const startUs = Math.max(nowUs, busFreeUs);
    const endUs = startUs + 100 + upTo(random, 150);
    busFreeUs = endUs;
    const flow = pciOf(rules, data) >> 4 === 3;
    const owner = flow ? to : from;
    if (!flow) check(rules, from, data, startUs, endUs);
    const deliver = (us: number): void => {
      owner.underWay += 1;
      agenda.at(us, () => {
        owner.underWay -= 1;
        to.frames.push({ us, data });
        if (pciOf(rules, data) === 0x30) {
          to.allowed = rules.blockSize || Number.POSITIVE_INFINITY;
        }
        to.node.hear(data, us);
      });
    };
    const report = (): void => {
      owner.underWay += 1;
      agenda.at(endUs, () => {
        owner.underWay -= 1;
        if (flow) from.frames.push({ us: endUs, data: [] });
        from.node.sent(endUs);
      });
    };
    // The report of a frame may come after the answer to it, at the same time.
    const isReportedFirst = random() < 0.7;
    if (isReportedFirst) report();
    if (random() >= faults.lost) {
      deliver(random() < faults.late ? endUs + upTo(random, 50_000) : endUs);
      if (random() < faults.repeated) deliver(endUs + upTo(random, 1000));
    }
    if (!isReportedFirst) report();
  };

  const begin = (rules: Rules, end: End): void => {
    if (end.left === 0 || end.node.isSending || end.underWay > 0) return;
    if (end.nextStartUs === null) {
      end.nextStartUs = nowUs + (random() < 0.05 ? 2_500_000 : upTo(random, 50_000));
      agenda.at(end.nextStartUs, () => {});
    }
    if (nowUs < end.nextStartUs) return;
    end.nextStartUs = null;
    end.left -= 1;
    const payload = Array.from({ length: randomLength(random) }, () => upTo(random, 255));
    end.sent.push(payload.join());
    end.expected = paperSegments(rules, payload).map((data) => data.join());
    end.allowed = 1;
    end.notBeforeUs = 0;
    end.node.start(payload, nowUs);
  };

  const serve = (): void => {
    for (const { rules, ends } of pairs) {
      for (const [index, end] of ends.entries()) {
        end.node.expire(nowUs);
        begin(rules, end);
        for (let data = end.node.take(nowUs); data; data = end.node.take(nowUs)) {
          transmit(rules, end, ends[1 - index] as End, data);
        }
      }
    }
  };

  for (;;) {
    serve();
    const dueUs = Math.min(...pairs.flatMap(({ ends }) => ends.map(({ node }) => node.dueUs)));
    const nextUs = Math.min(agenda.nextUs, dueUs);
    if (nextUs === Number.POSITIVE_INFINITY) break;
    nowUs = Math.max(nowUs, nextUs);
    if (agenda.nextUs <= nowUs) agenda.run();
  }
  const received = pairs.flatMap(({ rules, ends: [one, other] }) => [
    { rules, sent: one.sent, frames: other.frames, outcomes: other.node.outcomes },
    { rules, sent: other.sent, frames: one.frames, outcomes: one.node.outcomes },
  ]);
  return { isClean, received, broken };
};
