import { getJson } from './api.js';

/** What has not come by itself by then comes seldom. */
const patienceMs = 1000;

const isMissing = (row, now) =>
  row.latest === null &&
  !row.isLatestKnown &&
  !row.known.isExpired &&
  row.known.plan.frames > 0 &&
  now - row.begunAt > patienceMs;

const pathTo = ({ known, signal }) =>
  `/api/v1/signals/latest?${new URLSearchParams({ plan: known.plan.plan_id, signal })}`;

const absences = ['no_sample', 'plan_not_found', 'signal_not_found'];

/** Null for a signal that was in no frame so far, or whose plan is gone. */
const latestOf = async (row) => {
  try {
    return await getJson(pathTo(row));
  } catch (error) {
    if (!absences.includes(error.code)) throw error;
    return null;
  }
};

/** Fetches what signals that come seldom were before the stream began, one after the other. */
export class LatestSamples {
  #onFilled;
  #isAsking = false;

  /** `onFilled` is called for every sample that a row was given. */
  constructor(onFilled) {
    this.#onFilled = onFilled;
  }

  async fill(rows) {
    if (this.#isAsking) return;
    const now = performance.now();
    const missing = rows.filter((row) => isMissing(row, now));
    this.#isAsking = true;
    try {
      for (const row of missing) this.#give(row, await latestOf(row));
    } catch {
      // The stream and the list of plans meet the same trouble, and tell it.
    }
    this.#isAsking = false;
  }

  #give(row, sample) {
    const isWanted = row.latest === null && !row.isLatestKnown;
    row.isLatestKnown = true;
    if (sample === null || !isWanted) return;
    row.take(sample);
    this.#onFilled();
  }
}
