import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { cases, isLong } from '../../base/testing/long.ts';
import { polledEveryMs, sentBy, writtenBy } from './testing/soak-project.ts';
import { SoakRig } from './testing/soak-rig.ts';
import type { UnitMood } from './testing/tallied-units.ts';

const moods: readonly UnitMood[] = ['answers', 'answers', 'silent', 'refuses'];
const ms = 1000;
/** Number of collections after which remaining objects count as held. */
const maxTurns = 100;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
setFlagsFromString('--no-expose-gc');

/** Runs random actions on an instance and its peers, and compares their counters at each stop. */
class Soak {
  readonly rig: SoakRig;
  missed = 0;
  /** Polls answered by a unit before the last load. */
  readonly answeredBefore = new Map<number, number>();
  /** Frames without an outcome that may still be sent, by task, of this load and earlier ones. */
  readonly late = new Map<string, number>();
  readonly carried = new Map<string, number>();
  stops = 0;
  loads = 0;

  constructor(seed: number) {
    this.rig = new SoakRig(seed);
  }

  below(limit: number): number {
    return Math.floor(this.rig.random() * limit);
  }

  load(): void {
    this.rig.load();
    this.missed = 0;
    this.loads += 1;
  }

  async start(): Promise<void> {
    await this.rig.start();
    // Polls begin with the next turn of the scheduler.
    this.rig.advanceMs(1);
    for (const unit of polledEveryMs.keys()) {
      this.answeredBefore.set(unit, this.rig.units.reads(unit, 0).confirmed);
    }
  }

  /** An action, followed by a pause. */
  async step(): Promise<void> {
    const { rig } = this;
    const action = this.actions[this.below(this.actions.length)];
    await action?.();
    rig.advanceMs(rig.random() < 0.1 ? rig.random() * 3000 : rig.random() * 1000);
    expect(rig.bench.defects).toEqual([]);
  }

  readonly actions: readonly (() => void | Promise<void>)[] = [
    ...Array.from({ length: 6 }, () => () => void this.rig.writeSetpoint(this.below(65_536))),
    ...Array.from({ length: 6 }, () => () => this.rig.sendSpeed(this.below(65_536))),
    () => this.rig.set('count', String(this.below(65_536))),
    () => this.rig.set('lamp', String(this.below(2))),
    () => this.rig.units.put(1 + this.below(3), 0, this.below(65_536)),
    () => void this.rig.units.moods.set(1 + this.below(3), moods[this.below(4)] ?? 'answers'),
    () => this.rig.units.cut(),
    () => this.rig.units.disconnects(),
    () => this.rig.units.connects(),
    () => this.rig.units.connects(),
    () => this.rig.close('port'),
    () => this.rig.openPort(),
    () => this.rig.openPort(),
    () => this.leaveBus(),
    () => this.rig.port && this.rig.bench.driver.faults.bitErrors(0, this.below(10)),
    () => this.loseDevice(),
    () => this.restart(),
    () => this.reload(),
  ];

  loseDevice(): void {
    const { faults } = this.rig.bench.driver;
    faults.loseDevice();
    this.rig.advanceMs(this.rig.random() * 1000);
    faults.returnDevice();
  }

  /** For a moment no node acknowledges frames, so they are repeated. */
  async leaveBus(): Promise<void> {
    await this.rig.close('peer');
    this.rig.advanceMs(this.rig.random() * 300);
    if (this.rig.random() < 0.3) await this.restart();
    await this.rig.openPeer();
  }

  async restart(): Promise<void> {
    await this.stop();
    this.rig.advanceMs(this.rig.random() * 200);
    await this.rig.openPort();
    await this.start();
  }

  async reload(): Promise<void> {
    await this.stop();
    this.unload();
    this.load();
    await this.rig.openPort();
    await this.start();
  }

  /** Stops, and compares the counters with those of the peers. */
  async stop(): Promise<void> {
    const { rig } = this;
    this.checkPolls();
    await rig.stop();
    this.stops += 1;
    const status = rig.status();
    expect(status).toMatchObject({ state: 'stopped', poll_missed: this.missed });
    for (const { id, accepted, sent, failed, pending, unconfirmed } of status.tasks) {
      expect(accepted, id).toBe(sent + failed + pending);
      expect(pending, id).toBe(unconfirmed);
      const place = writtenBy[id];
      if (!place) {
        const received = rig.received.get(sentBy[id] ?? 0) ?? 0;
        const late = sent + unconfirmed + (this.carried.get(id) ?? 0) - received;
        expect(received, id).toBeGreaterThanOrEqual(sent);
        expect(late, id).toBeGreaterThanOrEqual(0);
        this.late.set(id, late);
        continue;
      }
      const { reached, confirmed, refused } = rig.units.writes(...place);
      expect(confirmed, id).toBe(sent);
      expect(reached, id).toBeLessThanOrEqual(accepted);
      expect(refused, id).toBeLessThanOrEqual(failed);
    }
  }

  /** Every period of a poll was requested or missed. */
  checkPolls(): void {
    const { polls, clock, startedUs } = this.rig;
    if (startedUs === undefined) throw new Error('It does not run');
    for (const [read, { unit, periodMs, answered, failed, missed }] of polls.running) {
      const periods = Math.floor((clock.monotonicUs() - startedUs) / (periodMs * ms)) + 1;
      expect(read.made + missed, `unit ${unit}`).toBe(periods);
      expect(answered + failed, `unit ${unit}`).toBeLessThanOrEqual(read.made);
      expect(answered + failed, `unit ${unit}`).toBeGreaterThanOrEqual(read.made - 1);
      const { confirmed } = this.rig.units.reads(unit, 0);
      expect(confirmed - (this.answeredBefore.get(unit) ?? 0), `unit ${unit}`).toBe(answered);
      this.missed += missed;
    }
  }

  /**
   * For a while there are no faults: the last set, written and measured values have arrived
   * everywhere. An error of a task ends with its next transmission, so each task gets a new
   * value.
   */
  async settle(): Promise<void> {
    const { rig } = this;
    const { units } = rig;
    await rig.openPort();
    await rig.openPeer();
    rig.bench.driver.faults.bitErrors(0, 0);
    units.connects();
    units.moods.clear();
    rig.set('lamp', '0');
    rig.advanceMs(40_000);
    const [setpoint, speed, count, level] = Array.from({ length: 4 }, () => this.below(65_536));
    expect(rig.writeSetpoint(setpoint as number)).toBe(true);
    rig.sendSpeed(speed as number);
    rig.set('count', String(count));
    rig.set('lamp', '1');
    for (const unit of polledEveryMs.keys()) units.put(unit, 0, level as number);
    rig.advanceMs(2000);
    expect(units.register(1, 100)).toBe(setpoint);
    expect(units.register(1, 101) & 8).toBe(8);
    expect(units.register(2, 100)).toBe(speed);
    expect(units.register(3, 100)).toBe(count);
    expect(rig.served(0, 2)).toEqual([level, speed]);
    expect(rig.status()).toMatchObject({ health: 'ok', failed_tasks: 0 });
    expect(rig.status().endpoints.map(({ connected }) => connected)).not.toContain(false);
  }

  unload(): void {
    const { rig } = this;
    rig.unload();
    for (const [id, frames] of this.late) this.carried.set(id, frames);
    const none = { leases: 0, polls: 0, listeners: 0, servers: 0, users: 0 };
    expect(rig.leftovers()).toEqual(none);
  }
}

const reload = async (soak: Soak): Promise<void> => {
  soak.load();
  await soak.rig.openPort();
  await soak.rig.openPeer();
  await soak.start();
};

/** Runs for this long, ends everything, and returns the remaining objects. */
const soakFor = async (soak: Soak, minutes: number) => {
  const { rig } = soak;
  await reload(soak);
  const endUs = rig.clock.monotonicUs() + minutes * 60_000 * ms;
  while (rig.clock.monotonicUs() < endUs) await soak.step();
  await soak.settle();
  await soak.stop();
  soak.unload();
  await rig.close('port');
  await rig.close('peer');
  rig.advanceMs(10_000);
  // Dereferenced weak references are retained until the turn ends, and some until V8 has compiled
  // their users.
  for (let turn = 0; turn === 0 || (turn < maxTurns && rig.livingInstances > 0); turn++) {
    await new YieldQueue().next();
    collectGarbage();
  }
  return {
    timers: rig.clock.pendingTimers,
    tasks: rig.bench.scheduler.scheduledTasks,
    links: rig.units.openLinks,
    instances: rig.livingInstances,
  };
};

describe('many minutes of faults, restarts and reloads', () => {
  it.runIf(isLong)('leaves counters that agree with the peers, and nothing else', async () => {
    const soak = new Soak(20);
    const nothing = { timers: 0, tasks: 0, links: 0, instances: 0 };
    expect(await soakFor(soak, cases(3, 10))).toEqual(nothing);
    // Objects leaked by each frame or poll appear in every round. V8's compiler and the test
    // worker allocate memory in single rounds only.
    const growths: number[] = [];
    for (let round = 0; round < 3; round++) {
      const heapBytes = process.memoryUsage().heapUsed;
      expect(await soakFor(soak, cases(3, 10))).toEqual(nothing);
      growths.push(process.memoryUsage().heapUsed - heapBytes);
    }
    expect(Math.min(...growths)).toBeLessThan(2e6);
    expect(soak.stops).toBeGreaterThan(cases(30, 100));
    expect(soak.loads).toBeGreaterThan(cases(10, 50));
  });
});
