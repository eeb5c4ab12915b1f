import type { SignalSample } from './sample-record.ts';

/** One value of a signal, by its plan, which tells its own id where samples of several are given. */
export type Sample = Omit<SignalSample, 'plan_id'>;
