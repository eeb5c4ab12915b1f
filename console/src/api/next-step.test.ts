import { describe, expect, it } from 'vitest';
import { ApiError, errorRecord } from './api-error.ts';
import { nextStep } from './next-step.ts';

describe('nextStep', () => {
  it.each(['unreachable', 'no_answer', 'busy'])(
    'says of %s that the console keeps trying only where it does',
    (code) => {
      const error = new ApiError({ code, message: '' });
      expect(nextStep(error)).not.toContain('keeps trying');
      expect(nextStep(error)).toMatch(/[Tt]ry again\.$/);
      error.isRetried = true;
      expect(nextStep(error)).toMatch(/he console keeps trying\.$/);
      // Both the page and a worker use it.
      expect(nextStep(new ApiError(errorRecord(error)))).toBe(nextStep(error));
    },
  );
});
