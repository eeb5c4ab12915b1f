/**
 * Shared state of a call to another thread whose caller can time out. The first thread that
 * decides it decides for both:
 *
 *     open ──► effective    the called thread has committed the call
 *       └────► withdrawn    the caller has received an error, and the call is undone
 */
export type Verdict = Int32Array;

const open = 0;
const effective = 1;
const withdrawn = 2;

export const newVerdict = (): Verdict => new Int32Array(new SharedArrayBuffer(4));

/** Commits the call; false if its caller has withdrawn it. */
export const takeEffect = (verdict: Verdict): boolean =>
  Atomics.compareExchange(verdict, 0, open, effective) !== withdrawn;

/** Withdraws the call; false if it was committed. */
export const withdraw = (verdict: Verdict): boolean =>
  Atomics.compareExchange(verdict, 0, open, withdrawn) !== effective;

export const isWithdrawn = (verdict: Verdict): boolean => Atomics.load(verdict, 0) === withdrawn;
