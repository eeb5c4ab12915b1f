import { describe, expect, it } from 'vitest';
import { cycleMetres, cycleS, VehicleModel, type VehicleState } from './vehicle-model.ts';

const stepS = 0.01;

/** The states over some rounds, in steps of 10 ms. */
const drive = (rounds: number): VehicleState[] => {
  const model = new VehicleModel();
  const steps = Math.round((rounds * cycleS) / stepS);
  return Array.from({ length: steps + 1 }, (_, i) => ({ ...model.advance(i * stepS * 1e6) }));
};

const states = drive(3);
const values = (key: keyof VehicleState) => states.map((state) => state[key]);
const lowest = (key: keyof VehicleState) => values(key).reduce((a, b) => Math.min(a, b));
const highest = (key: keyof VehicleState) => values(key).reduce((a, b) => Math.max(a, b));
const pairs = states.slice(1).map((now, i) => ({ now, before: states[i] ?? now }));

describe('VehicleModel', () => {
  it('says the same however it got there', () => {
    const jumping = new VehicleModel();
    for (const atUs of [400_000_000, 17_123_456, 0, 90_000_000]) {
      expect(jumping.advance(atUs)).toEqual(new VehicleModel().advance(atUs));
    }
  });

  it('stays within what a car can do', () => {
    expect([lowest('speed'), highest('speed')]).toEqual([0, 130]);
    expect(lowest('acceleration')).toBeGreaterThan(-5);
    expect(highest('acceleration')).toBeLessThan(4);
    expect(lowest('engineRpm')).toBeGreaterThan(700);
    expect(highest('engineRpm')).toBeLessThan(4500);
    expect([lowest('gear'), highest('gear')]).toEqual([0, 6]);
    expect(lowest('throttle')).toBe(0);
    expect(highest('throttle')).toBeLessThanOrEqual(100);
    expect(highest('brakePressure')).toBeLessThan(100);
    expect(lowest('batteryVoltage')).toBeGreaterThan(13);
    expect(highest('batteryVoltage')).toBeLessThan(15);
    expect(highest('coolantTemperature')).toBeLessThan(95);
  });

  it('moves as its speed says, without a jump', () => {
    const max = (of: (pair: (typeof pairs)[number]) => number) =>
      pairs.reduce((worst, pair) => Math.max(worst, Math.abs(of(pair))), 0);
    expect(max(({ now, before }) => now.speed - before.speed)).toBeLessThan(0.2);
    expect(max(({ now, before }) => now.steeringAngle - before.steeringAngle)).toBeLessThan(2);
    const unexplainedKm = max(({ now, before }) => {
      const meanKmh = (now.speed + before.speed) / 2;
      return now.odometer - before.odometer - (meanKmh * stepS) / 3600;
    });
    expect(unexplainedKm).toBeLessThan(1e-8);
    const [first, last] = [states[0], states.at(-1)];
    expect((last?.odometer ?? 0) - (first?.odometer ?? 0)).toBeCloseTo((3 * cycleMetres) / 1000, 6);
  });

  it('has its foot on one pedal at a time', () => {
    expect(states.filter((state) => state.throttle > 1 && state.brakePressure > 0)).toEqual([]);
  });

  it('opens doors only while it is parked', () => {
    const open = states.filter(({ driverDoor, passengerDoor, rearLeftDoor, rearRightDoor }) =>
      Boolean(driverDoor + passengerDoor + rearLeftDoor + rearRightDoor),
    );
    expect(open.length).toBeGreaterThan(0);
    expect(open.every(({ speed, gear }) => speed === 0 && gear === 0)).toBe(true);
  });

  it('warms up, meets rain and turns both ways', () => {
    expect(states[0]?.coolantTemperature).toBe(18);
    expect(states.at(-1)?.coolantTemperature).toBeGreaterThan(85);
    expect(new Set(values('wiper'))).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set(values('indicator'))).toEqual(new Set([0, 1, 2]));
    expect(new Set(values('lowBeam'))).toEqual(new Set([0, 1]));
    expect(states.some(({ indicator, indicatorLamp }) => indicator === 0 && indicatorLamp)).toBe(
      false,
    );
  });

  it('repeats its round', () => {
    const roundSteps = Math.round(cycleS / stepS);
    for (let i = 0; i < roundSteps; i += 97) {
      const [one, next] = [states[i], states[i + roundSteps]];
      expect(next?.speed).toBeCloseTo(one?.speed ?? Number.NaN, 6);
      expect(next?.steeringAngle).toBeCloseTo(one?.steeringAngle ?? Number.NaN, 6);
    }
  });
});
