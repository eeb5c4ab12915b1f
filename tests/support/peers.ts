import { existsSync } from 'node:fs';

/**
 * Whether a program that a test needs is here. Where it is not, the test is skipped with one clear
 * line; under CI it fails instead, because there nothing may be left out.
 */
export const hasPeer = (program: string, debianPackage: string): boolean => {
  if (existsSync(program)) return true;
  const message = `${program} is missing: apt-get install ${debianPackage}`;
  if (process.env.CI === 'true') throw new Error(message);
  console.log(`Skipped: ${message}`);
  return false;
};
