import type { Condition } from './condition.ts';

const op = {
  state: 0,
  instant: 1,
  not: 2,
  and: 3,
  or: 4,
  /** 1 at the moment when a state becomes true. */
  edge: 5,
  within: 6,
} as const;

/** What a term says at a moment: `holds` for a state, `isHit` for an instant. */
export interface TermValue {
  readonly holds: boolean;
  readonly isHit: boolean;
}

const noTime = Float64Array.of(Number.NaN);

/** A condition as steps whose operands come before them. Evaluating one allocates nothing. */
export class Program {
  readonly isState: boolean;
  readonly #ops: Uint8Array;
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #values: Uint8Array;
  readonly #before: Uint8Array;
  readonly #windowNs: Float64Array;
  readonly #leftNs: Float64Array;
  readonly #rightNs: Float64Array;
  readonly #level: number;

  constructor(condition: Condition) {
    const steps: { op: number; left: number; right: number; windowNs: number }[] = [];
    let terms = 0;
    const add = (code: number, left: number, right = -1, windowNs = 0): number =>
      steps.push({ op: code, left, right, windowNs }) - 1;
    const instantOf = (part: Condition): number => {
      const step = stepOf(part);
      return part.kind === 'state' ? add(op.edge, step) : step;
    };
    const stepOf = (part: Condition): number => {
      switch (part.op) {
        case 'not':
          return add(op.not, stepOf(part.part));
        case 'and':
          return part.parts.map(stepOf).reduce((left, right) => add(op.and, left, right));
        case 'or': {
          const steps = part.parts.map(part.kind === 'state' ? stepOf : instantOf);
          return steps.reduce((left, right) => add(op.or, left, right));
        }
        case 'within': {
          const first = instantOf(part.first);
          return add(op.within, first, instantOf(part.second), part.window.ns);
        }
        default:
          return add(part.kind === 'state' ? op.state : op.instant, terms++);
      }
    };
    this.isState = condition.kind === 'state';
    this.#level = stepOf(condition);
    if (this.isState) add(op.edge, this.#level);
    this.#ops = Uint8Array.from(steps, (step) => step.op);
    this.#left = Int32Array.from(steps, ({ left }) => left);
    this.#right = Int32Array.from(steps, ({ right }) => right);
    this.#windowNs = Float64Array.from(steps, ({ windowNs }) => windowNs);
    this.#values = new Uint8Array(steps.length);
    this.#before = new Uint8Array(steps.length);
    this.#leftNs = new Float64Array(steps.length);
    this.#rightNs = new Float64Array(steps.length);
  }

  /** Whether a state holds since the last evaluation. */
  get holds(): boolean {
    return this.isState && this.#values[this.#level] === 1;
  }

  /** Takes the states as they are, without an instant. */
  reset(terms: readonly TermValue[]): void {
    this.evaluate(terms, noTime);
    this.#leftNs.fill(Number.NEGATIVE_INFINITY);
    this.#rightNs.fill(Number.NEGATIVE_INFINITY);
  }

  /** Returns whether the condition fires at a moment, which is in an array so that none is boxed. */
  evaluate(terms: readonly TermValue[], now: Float64Array): boolean {
    const ops = this.#ops;
    const values = this.#values;
    for (let step = 0; step < ops.length; step++) {
      const left = this.#left[step] as number;
      const right = this.#right[step] as number;
      switch (ops[step]) {
        case op.state:
          values[step] = (terms[left] as TermValue).holds ? 1 : 0;
          break;
        case op.instant:
          values[step] = (terms[left] as TermValue).isHit ? 1 : 0;
          break;
        case op.not:
          values[step] = 1 - (values[left] as number);
          break;
        case op.and:
          values[step] = (values[left] as number) & (values[right] as number);
          break;
        case op.or:
          values[step] = (values[left] as number) | (values[right] as number);
          break;
        case op.edge: {
          const holds = values[left] as number;
          values[step] = holds & (1 - (this.#before[step] as number));
          this.#before[step] = holds;
          break;
        }
        default:
          values[step] = this.#isWithin(step, left, right, now) ? 1 : 0;
      }
    }
    return values[ops.length - 1] === 1;
  }

  #isWithin(step: number, left: number, right: number, now: Float64Array): boolean {
    const nowNs = now[0] as number;
    const hasLeft = this.#values[left] === 1;
    const hasRight = this.#values[right] === 1;
    if (hasLeft) this.#leftNs[step] = nowNs;
    if (hasRight) this.#rightNs[step] = nowNs;
    const window = this.#windowNs[step] as number;
    return (
      (hasLeft && nowNs - (this.#rightNs[step] as number) <= window) ||
      (hasRight && nowNs - (this.#leftNs[step] as number) <= window)
    );
  }
}
