/**
 * Whether a call to another thread takes effect, where its caller may give up waiting. Both threads have it in their
 * memory, and whichever decides first decides for both:
 *
 *     open ──► effective    the thread that carries out the call has reached the point of no return
 *       └────► withdrawn    the caller has been refused: what the call did so far is undone
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
