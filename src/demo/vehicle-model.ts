interface Waypoint {
  readonly atS: number;
  readonly kmh: number;
  readonly steeringDeg: number;
}

type Window = readonly [fromS: number, toS: number];

/** Parked, town, country road, motorway, home. */
const waypoints: readonly Waypoint[] = [
  { atS: 0, kmh: 0, steeringDeg: 0 },
  { atS: 8, kmh: 0, steeringDeg: 0 },
  { atS: 12, kmh: 15, steeringDeg: 180 },
  { atS: 15, kmh: 25, steeringDeg: 0 },
  { atS: 21, kmh: 50, steeringDeg: 4 },
  { atS: 32, kmh: 52, steeringDeg: -3 },
  { atS: 38, kmh: 0, steeringDeg: 0 },
  { atS: 46, kmh: 0, steeringDeg: 0 },
  { atS: 50, kmh: 20, steeringDeg: -150 },
  { atS: 53, kmh: 35, steeringDeg: 0 },
  { atS: 62, kmh: 85, steeringDeg: 12 },
  { atS: 70, kmh: 70, steeringDeg: -35 },
  { atS: 78, kmh: 95, steeringDeg: 15 },
  { atS: 90, kmh: 130, steeringDeg: -2 },
  { atS: 120, kmh: 128, steeringDeg: 3 },
  { atS: 132, kmh: 60, steeringDeg: -40 },
  { atS: 140, kmh: 48, steeringDeg: 0 },
  { atS: 150, kmh: 30, steeringDeg: 90 },
  { atS: 156, kmh: 10, steeringDeg: -220 },
  { atS: 162, kmh: 0, steeringDeg: 0 },
  { atS: 170, kmh: 0, steeringDeg: 0 },
];

export const cycleS = 170;

const windows = {
  driverDoor: [[1, 4] as Window, [165, 168] as Window],
  passengerDoor: [[2, 5] as Window],
  rearLeftDoor: [[164, 167] as Window],
  rearRightDoor: [] as Window[],
  parked: [[0, 6] as Window, [163, cycleS] as Window],
  leftIndicator: [[7, 13] as Window, [83, 88] as Window, [144, 151] as Window],
  rightIndicator: [[44, 51] as Window, [120, 130] as Window, [152, 158] as Window],
} as const;

type CycleFlag = keyof typeof windows;

const cycleHas = (flag: CycleFlag, atS: number): boolean => {
  const times = windows[flag];
  for (let i = 0; i < times.length; i++) {
    const time = times[i];
    if (time && atS >= time[0] && atS < time[1]) return true;
  }
  return false;
};

const ease = (x: number): number => x * x * (3 - 2 * x);

const easeSlope = (x: number): number => 6 * x * (1 - x);

const easeArea = (x: number): number => x * x * x * (1 - x / 2);

const kmhPerMps = 3.6;

const legs = waypoints.slice(1).map((to, i) => {
  const from = waypoints[i] ?? to;
  const lasts = to.atS - from.atS;
  return { from, to, lasts, metres: ((from.kmh + to.kmh) / 2 / kmhPerMps) * lasts };
});

const metresBefore = legs.map((_, i) =>
  legs.slice(0, i).reduce((sum, { metres }) => sum + metres, 0),
);

export const cycleMetres = legs.reduce((sum, { metres }) => sum + metres, 0);

class CycleMotion {
  kmh = 0;
  acceleration = 0;
  steeringDeg = 0;
  metres = 0;

  moveTo(atS: number): void {
    let index = 0;
    while (index < legs.length - 1 && atS >= (legs[index]?.to.atS ?? 0)) index++;
    const leg = legs[index];
    if (!leg) return;
    const { from, to, lasts } = leg;
    const x = (atS - from.atS) / lasts;
    const gain = to.kmh - from.kmh;
    this.kmh = from.kmh + gain * ease(x);
    this.acceleration = (gain * easeSlope(x)) / lasts / kmhPerMps;
    this.steeringDeg = from.steeringDeg + (to.steeringDeg - from.steeringDeg) * ease(x);
    this.metres =
      (metresBefore[index] ?? 0) + ((from.kmh * x + gain * easeArea(x)) * lasts) / kmhPerMps;
  }
}

export const indicator = { off: 0, left: 1, right: 2 } as const;
export const wiper = { off: 0, interval: 1, slow: 2, fast: 3 } as const;

export interface VehicleState {
  readonly speed: number;
  readonly acceleration: number;
  readonly engineRpm: number;
  readonly gear: number;
  readonly throttle: number;
  readonly brakePressure: number;
  /** Steering wheel angle in degrees, positive to the left. */
  readonly steeringAngle: number;
  readonly coolantTemperature: number;
  readonly batteryVoltage: number;
  readonly odometer: number;
  readonly driverDoor: number;
  readonly passengerDoor: number;
  readonly rearLeftDoor: number;
  readonly rearRightDoor: number;
  readonly indicator: number;
  readonly indicatorLamp: number;
  readonly lowBeam: number;
  readonly wiper: number;
  readonly rain: number;
  readonly outsideTemperature: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const idleRpm = 800;
const rpmPerKmh = [0, 120, 68, 46, 34, 27, 22];
const shiftUpKmh = [18, 35, 52, 72, 100];
const shiftDownKmh = [12, 26, 42, 60, 85];

const coasting = 0.25;

const odometerAtStartKm = 12_345;
const ambientC = 18;
const warmC = 90;
const warmUpS = 150;
const blinkS = 0.7;
const rainPeriodS = 240;

const wave = (atS: number, periodS: number): number => Math.sin((2 * Math.PI * atS) / periodS);

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);

const gearAt = (kmh: number, acceleration: number): number => {
  const limits = acceleration < 0 ? shiftDownKmh : shiftUpKmh;
  let gear = 1;
  while (gear <= limits.length && kmh >= (limits[gear - 1] ?? 0)) gear++;
  return gear;
};

const wiperFor = (rain: number): number => {
  if (rain < 5) return wiper.off;
  if (rain < 25) return wiper.interval;
  return rain < 60 ? wiper.slow : wiper.fast;
};

const indicatorAt = (atS: number): number => {
  if (cycleHas('leftIndicator', atS)) return indicator.left;
  return cycleHas('rightIndicator', atS) ? indicator.right : indicator.off;
};

/**
 * A car that repeats its drive cycle. Its state depends only on time and requests, so two
 * models always agree.
 */
export class VehicleModel {
  readonly #motion = new CycleMotion();
  readonly #state: Mutable<VehicleState> = {
    speed: 0,
    acceleration: 0,
    engineRpm: idleRpm,
    gear: 0,
    throttle: 0,
    brakePressure: 0,
    steeringAngle: 0,
    coolantTemperature: ambientC,
    batteryVoltage: 12.6,
    odometer: odometerAtStartKm,
    driverDoor: 0,
    passengerDoor: 0,
    rearLeftDoor: 0,
    rearRightDoor: 0,
    indicator: indicator.off,
    indicatorLamp: 0,
    lowBeam: 0,
    wiper: wiper.off,
    rain: 0,
    outsideTemperature: ambientC,
  };

  /**
   * Advances to this time after the start, with the requested wiper mode, or controlled by
   * rain. The state is valid until the next call.
   */
  advance(toUs: number, requestedWiper: number = wiper.off): VehicleState {
    const totalS = toUs / 1e6;
    const round = Math.floor(totalS / cycleS);
    const atS = totalS - round * cycleS;
    this.#motion.moveTo(atS);
    this.#drive(totalS, atS);
    this.#state.odometer = odometerAtStartKm + (round * cycleMetres + this.#motion.metres) / 1000;
    this.#updateComfort(totalS, atS, requestedWiper);
    return this.#state;
  }

  #drive(totalS: number, atS: number): void {
    const state = this.#state;
    const { kmh, acceleration, steeringDeg } = this.#motion;
    state.speed = kmh;
    state.acceleration = acceleration;
    state.steeringAngle = steeringDeg;
    state.gear = cycleHas('parked', atS) ? 0 : gearAt(kmh, acceleration);
    const drivenRpm = kmh * (rpmPerKmh[state.gear] ?? 0);
    state.engineRpm = Math.max(idleRpm + 12 * wave(totalS, 1.7), drivenRpm);
    const resistance = 4 * Math.min(kmh / 5, 1) + (kmh / 25) ** 2 / 2;
    const pushed = acceleration < 0 ? resistance * (1 + acceleration / coasting) : resistance;
    state.throttle = clamp(pushed + 22 * Math.max(acceleration, 0), 0, 100);
    const stands = kmh < 0.5 && acceleration <= 0;
    state.brakePressure = stands ? 12 : clamp(-18 * (acceleration + coasting), 0, 120);
    state.coolantTemperature =
      warmC - (warmC - ambientC) * Math.exp(-totalS / warmUpS) + 1.5 * wave(totalS, 47);
  }

  #updateComfort(totalS: number, atS: number, requestedWiper: number): void {
    const state = this.#state;
    state.rain = clamp(110 * wave(totalS - 40, rainPeriodS) - 20, 0, 100);
    state.wiper = requestedWiper === wiper.off ? wiperFor(state.rain) : requestedWiper;
    state.outsideTemperature = ambientC + 4 * wave(totalS, 3600) - state.rain / 50;
    state.lowBeam = state.rain > 0 ? 1 : 0;
    state.driverDoor = cycleHas('driverDoor', atS) ? 1 : 0;
    state.passengerDoor = cycleHas('passengerDoor', atS) ? 1 : 0;
    state.rearLeftDoor = cycleHas('rearLeftDoor', atS) ? 1 : 0;
    state.rearRightDoor = cycleHas('rearRightDoor', atS) ? 1 : 0;
    state.indicator = indicatorAt(atS);
    state.indicatorLamp = state.indicator !== indicator.off && atS % blinkS < blinkS / 2 ? 1 : 0;
    const load = 0.08 * state.wiper + 0.1 * state.indicatorLamp + 0.15 * state.lowBeam;
    state.batteryVoltage = 14.3 - load + 0.05 * wave(totalS, 3.1);
  }
}
