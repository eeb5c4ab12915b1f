import { type Tables, tablesOf } from './project.ts';
import { Random } from './random.ts';
import { RandomFrames } from './random-frames.ts';
import { randomModbusProject, randomProject } from './random-project.ts';
import { RandomRequests } from './random-requests.ts';
import { smallValue, wideValue } from './random-signals.ts';
import type { Failure, Script, ScriptEvent } from './script.ts';

/** Minimum time from a stop to a start: everything pending is settled then. */
const restUs = 1_100_000;

const failures: readonly Failure[] = [
  'modbus_exception',
  'modbus_timeout',
  'modbus_unreachable',
  'modbus_bad_reply',
];

/** Writes events one by one, with the state they depend on. */
class ScriptWriter {
  readonly events: ScriptEvent[] = [];
  readonly #random: Random;
  readonly #tables: Tables;
  readonly #frames: RandomFrames;
  readonly #requests: RandomRequests;
  readonly #down = new Set<string>();
  #nowUs: number;
  #startUs = 0;
  /** Adds an input that becomes visible in the next round. */
  #isBehind = false;

  constructor(random: Random, project: object) {
    this.#random = random;
    this.#tables = tablesOf(project);
    this.#frames = new RandomFrames(random, this.#tables);
    this.#requests = new RandomRequests(random, this.#tables);
    this.#nowUs = 1_000_000 + random.integer(0, 999);
  }

  #put(event: ScriptEvent): void {
    this.events.push(event);
  }

  /** Often a whole millisecond after the start, where periods and time-outs end. */
  #pass(): void {
    const random = this.#random;
    const how = random.weighted({ none: 6, short: 12, usual: 24, long: 8, stall: 1 });
    const ranges = {
      none: [0, 0],
      short: [1, 2000],
      usual: [1000, 12_000],
      long: [10_000, 60_000],
      stall: [100_000, 1_500_000],
    } as const;
    const [least, max] = ranges[how];
    const timeUs = this.#nowUs + random.integer(least, max);
    const wholeUs = this.#startUs + Math.ceil((timeUs - this.#startUs) / 1000) * 1000;
    this.#nowUs = random.chance(0.6) ? wholeUs : timeUs;
  }

  start(): void {
    for (const endpoint of this.#down) {
      this.#put({ kind: 'endpoint', atUs: this.#nowUs, endpoint, up: true });
    }
    this.#down.clear();
    this.#startUs = this.#nowUs;
    this.#put({ kind: 'start', atUs: this.#nowUs });
  }

  #round(): void {
    this.#put({ kind: 'round', atUs: this.#nowUs });
    this.#isBehind = false;
  }

  readonly #isUp = (endpoint: string): boolean => !this.#down.has(endpoint);

  #frame(): void {
    this.#observe(this.#frames.next(this.#nowUs, this.#isUp));
  }

  #observe(event: ScriptEvent | undefined): void {
    if (event === undefined) return;
    this.#put(event);
    this.#isBehind = true;
  }

  /** One or several responses, so that some are replaced before a round. */
  #answers(): void {
    for (let left = this.#random.pick([1, 1, 2, 4]); left > 0; left -= 1) {
      this.#observe(this.#requests.nextAnswer(this.#nowUs, this.#isUp));
      this.#nowUs += this.#random.integer(0, 500);
    }
  }

  #writes(): void {
    for (let left = this.#random.pick([1, 1, 2, 3]); left > 0; left -= 1) {
      this.#observe(this.#requests.nextWrite(this.#nowUs, this.#isUp));
      this.#nowUs += this.#random.integer(0, 500);
    }
  }

  #set(): void {
    const software = this.#tables.signals.filter(({ producer }) => producer === 'software');
    if (software.length === 0) return;
    const { id: signal, type } = this.#random.pick(software);
    const isWide = signal.startsWith('wide') && this.#random.chance(0.6);
    const value = (isWide ? wideValue : smallValue)(this.#random, type);
    this.#put({ kind: 'set', atUs: this.#nowUs, signal, value });
    this.#isBehind = true;
  }

  /** Most frames are sent; some have no outcome for a long time. */
  #outcomes(share: number): void {
    for (const { id: task, resources } of this.#tables.tx_tasks) {
      if (resources !== undefined) this.#groupOutcome(task, share);
      else if (this.#random.chance(share)) this.#frameOutcome(task);
    }
  }

  #frameOutcome(task: string): void {
    this.#put({ kind: 'outcome', atUs: this.#nowUs, task, sent: this.#random.chance(0.85) });
  }

  /** A group starts transmission first, unless it is lost before. */
  #groupOutcome(task: string, share: number): void {
    const random = this.#random;
    if (random.chance(0.8)) this.#put({ kind: 'started', atUs: this.#nowUs, task });
    if (!random.chance(share)) return;
    if (random.chance(0.5)) this.#nowUs += random.integer(0, 300);
    const outcome = { kind: 'outcome', atUs: this.#nowUs, task } as const;
    if (random.chance(0.8)) this.#put({ ...outcome, sent: true });
    else this.#put({ ...outcome, sent: false, error: random.pick(failures) });
  }

  #switch(): void {
    const rules = this.#tables.fault_rules;
    if (rules.length === 0) return;
    const enabled = this.#random.chance(0.6);
    this.#put({ kind: 'switch', atUs: this.#nowUs, rule: this.#random.pick(rules).id, enabled });
  }

  /**
   * Rounds before and after, because the order of a frame and a loss within one round is
   * undefined.
   */
  #endpoint(endpoint = this.#random.pick(this.#tables.endpoints).id): void {
    const up = this.#down.has(endpoint);
    this.#round();
    this.#put({ kind: 'endpoint', atUs: this.#nowUs, endpoint, up });
    if (up) this.#down.delete(endpoint);
    else this.#down.add(endpoint);
    this.#round();
    if (!up) this.#loseGroups(endpoint);
  }

  /** Pending groups of a lost link fail, or have no outcome. */
  #loseGroups(endpoint: string): void {
    for (const { id: task, resources } of this.#tables.tx_tasks) {
      const first = this.#tables.modbus_resources.find(({ id }) => id === resources?.[0]);
      if (first?.endpoint !== endpoint || !this.#random.chance(0.7)) continue;
      const error = 'modbus_unreachable';
      this.#put({ kind: 'outcome', atUs: this.#nowUs, task, sent: false, error });
    }
  }

  #accepts(): void {
    const endpoint = this.#random.pick(this.#tables.endpoints).id;
    this.#put({ kind: 'accepts', atUs: this.#nowUs, endpoint, accepts: this.#random.chance(0.6) });
  }

  #snapshot(): void {
    if (this.#isBehind) this.#round();
    this.#put({ kind: 'snapshot', atUs: this.#nowUs });
  }

  #stop(): void {
    this.#round();
    this.#put({ kind: 'stop', atUs: this.#nowUs });
    this.#put({ kind: 'snapshot', atUs: this.#nowUs });
    const stopUs = this.#nowUs;
    this.#nowUs += this.#random.integer(100, 900_000);
    this.#outcomes(0.5);
    this.#put({ kind: 'snapshot', atUs: this.#nowUs });
    this.#nowUs = stopUs + restUs;
    this.#outcomes(0.3);
    this.#put({ kind: 'snapshot', atUs: this.#nowUs });
  }

  #restart(): void {
    this.#stop();
    if (this.#random.chance(0.4)) this.#set();
    if (this.#random.chance(0.3)) this.#switch();
    this.start();
    this.#isBehind = false;
  }

  step(): void {
    this.#pass();
    const [down] = this.#down;
    if (down !== undefined && this.#random.chance(0.25)) this.#endpoint(down);
    const what = this.#random.weighted({
      round: 26,
      frame: 40,
      set: 8,
      outcomes: 12,
      switch: 4,
      endpoint: this.#tables.modbus_resources.length > 0 ? 6 : 1,
      answers: this.#requests.hasReads ? 40 : 0,
      writes: this.#requests.hasWrites ? 25 : 0,
      accepts: 3,
      snapshot: 7,
      restart: 2,
    });
    switch (what) {
      case 'round':
        this.#round();
        if (!this.#random.chance(0.5)) break;
        this.#nowUs += this.#random.integer(100, 900);
        this.#outcomes(0.8);
        break;
      case 'frame':
        this.#frame();
        if (this.#random.chance(0.3)) this.#round();
        break;
      case 'answers':
        this.#answers();
        if (this.#random.chance(0.5)) this.#round();
        break;
      case 'writes':
        this.#writes();
        if (this.#random.chance(0.4)) this.#round();
        break;
      case 'set':
        this.#set();
        break;
      case 'outcomes':
        this.#outcomes(0.6);
        break;
      case 'switch':
        this.#switch();
        break;
      case 'endpoint':
        this.#endpoint();
        break;
      case 'accepts':
        this.#accepts();
        break;
      case 'snapshot':
        this.#snapshot();
        break;
      case 'restart':
        this.#restart();
        break;
    }
  }

  finish(): void {
    this.#pass();
    this.#round();
    this.#snapshot();
    this.#stop();
  }
}

const scriptOf = (project: object, seed: number): Script => {
  const random = new Random(seed ^ 0x5eed);
  const writer = new ScriptWriter(random, project);
  writer.start();
  for (let left = random.integer(20, 45); left > 0; left -= 1) writer.step();
  writer.finish();
  return { project, events: writer.events };
};

/** A valid project on CAN with events, the same for the same seed. */
export const randomScript = (seed: number): Script => scriptOf(randomProject(seed), seed);

/** The same with Modbus. */
export const randomModbusScript = (seed: number): Script =>
  scriptOf(randomModbusProject(seed), seed);
