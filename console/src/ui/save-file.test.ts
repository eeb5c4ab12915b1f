import { describe, expect, it } from 'vitest';
import { stampedName } from './save-file.ts';

describe('stampedName', () => {
  it('has the local time, so that names sort by it', () => {
    expect(stampedName('trace', 'asc', new Date(2025, 2, 14, 2, 41, 7))).toBe(
      'trace-20250314-024107.asc',
    );
  });
});
