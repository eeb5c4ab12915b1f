import { existsSync } from 'node:fs';

/**
 * Whether a program that a test needs is installed. If not, the test is skipped with one line;
 * under CI it fails, because no test may be skipped there.
 */
export const hasPeer = (program: string, debianPackage: string): boolean => {
  if (existsSync(program)) return true;
  const message = `${program} is missing: apt-get install ${debianPackage}`;
  if (process.env.CI === 'true') throw new Error(message);
  console.log(`Skipped: ${message}`);
  return false;
};
