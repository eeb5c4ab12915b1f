/** A point of the drive: how fast and how far round a bend the car is by then. */
interface Waypoint {
  readonly atS: number;
  readonly kmh: number;
  /** Of the steering wheel in degrees, positive to the left. */
  readonly steeringDeg: number;
}

/** A time of the cycle in which something holds, from the first second up to the second. */
type Window = readonly [fromS: number, toS: number];

/** Parked, through the town, along a country road, on the motorway, and home. */
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

export type CycleFlag = keyof typeof windows;

export const cycleHas = (flag: CycleFlag, atS: number): boolean => {
  const times = windows[flag];
  for (let i = 0; i < times.length; i++) {
    const time = times[i];
    if (time && atS >= time[0] && atS < time[1]) return true;
  }
  return false;
};

/** Begins and ends gently: a step from 0 to 1 without a kink. */
const ease = (x: number): number => x * x * (3 - 2 * x);
const easeSlope = (x: number): number => 6 * x * (1 - x);
const easeArea = (x: number): number => x * x * x * (1 - x / 2);

const kmhPerMps = 3.6;

const legs = waypoints.slice(1).map((to, i) => {
  const from = waypoints[i] ?? to;
  const lasts = to.atS - from.atS;
  return { from, to, lasts, metres: ((from.kmh + to.kmh) / 2 / kmhPerMps) * lasts };
});

/** Metres driven by the beginning of each leg. */
const metresBefore = legs.map((_, i) =>
  legs.slice(0, i).reduce((sum, { metres }) => sum + metres, 0),
);

export const cycleMetres = legs.reduce((sum, { metres }) => sum + metres, 0);

/** The motion of the car at one time of the cycle, in a record that is used again. */
export class CycleMotion {
  kmh = 0;
  /** Metres per second squared. */
  acceleration = 0;
  steeringDeg = 0;
  /** Since the cycle began. */
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
