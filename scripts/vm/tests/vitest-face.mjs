// The `vitest` module of tests in the machine: its runner and assertions only.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import { getCurrentTest } from '@vitest/runner';

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFailed,
  onTestFinished,
  test,
} from '@vitest/runner';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = (value, message) => {
  const assertion = chai.expect(value, message);
  const current = getCurrentTest();
  return current ? assertion.withTest(current) : assertion;
};
Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
expect.getState = () => getState(expect);
setState({ assertionCalls: 0 }, expect);
