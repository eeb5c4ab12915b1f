import { describe, expect, it } from 'vitest';
import { seededRandom } from '../testing/seeded-random.ts';
import { ClockLead } from './clock-lead.ts';

const leadUs = 1_700_000_000_000_000;

/** Two clocks on a machine that interrupts the thread repeatedly, for up to 12 ms. */
const noisyPair = (resolutionUs = 0) => {
  const random = seededRandom(7);
  let nowUs = 5_000_000;
  let ownLeadUs = leadUs;
  const pass = (): number => {
    nowUs += random() < 0.3 ? random() * 12_000 : 2 + random() * 40;
    return nowUs;
  };
  const cut = (us: number): number =>
    resolutionUs > 0 ? Math.floor(us / resolutionUs) * resolutionUs : us;
  const lead = new ClockLead({
    readUs: () => cut(pass() + ownLeadUs),
    referenceUs: pass,
    resolutionUs,
  });
  const set = (byUs: number): void => {
    ownLeadUs += byUs;
  };
  return { lead, set, trueUs: () => ownLeadUs };
};

describe('the lead of a clock', () => {
  it('is within its bracket after each reading, and the bracket gets narrower', () => {
    const { lead, trueUs } = noisyPair();
    let bracketUs = Number.POSITIVE_INFINITY;
    expect(lead.bracketUs).toBe(bracketUs);
    for (let reading = 0; reading < 200; reading++) {
      lead.measure(1);
      expect(Math.abs(lead.us - trueUs())).toBeLessThanOrEqual(lead.bracketUs / 2 + 1);
      expect(lead.bracketUs).toBeLessThanOrEqual(bracketUs);
      bracketUs = lead.bracketUs;
    }
    expect(bracketUs).toBeLessThan(20);
  });

  it('is known to a fraction of the steps in which the clock counts', () => {
    const { lead, trueUs } = noisyPair(1000);
    lead.measure(3000);
    expect(lead.bracketUs).toBeLessThan(100);
    expect(Math.abs(lead.us - trueUs())).toBeLessThanOrEqual(lead.bracketUs / 2 + 1);
  });

  it.each([3_600_000_000, -3_600_000_000, 50_000, -50_000])(
    'follows a clock that was set by %d µs',
    (byUs) => {
      const { lead, set, trueUs } = noisyPair();
      lead.measure(64);
      set(byUs);
      lead.measure(16);
      expect(Math.abs(lead.us - trueUs())).toBeLessThanOrEqual(lead.bracketUs / 2 + 1);
      expect(lead.bracketUs).toBeLessThan(1000);
    },
  );

  it('takes no more readings than it may, and one alone once it is exact', () => {
    let readings = 0;
    const lead = new ClockLead({
      readUs: () => {
        readings += 1;
        return leadUs;
      },
      referenceUs: () => 0,
    });
    lead.measure(32);
    expect(readings).toBe(1);
    lead.measure(32);
    expect([readings, lead.us]).toEqual([2, leadUs]);
    const { lead: noisy } = noisyPair();
    noisy.measure(3);
    expect(noisy.bracketUs).toBeGreaterThan(1);
  });
});
