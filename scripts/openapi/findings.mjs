/**
 * A breaking change and the steps that lead to it from the node that was compared.
 *
 * @typedef {{ trail: string[], change: string }} Finding
 */

/**
 * Who writes the value: clients write requests and read responses.
 *
 * @typedef {'request' | 'response'} Direction
 */

const arrayStep = /^\[\d*\]/;

/**
 * @param {string} change
 * @param {...string} trail
 * @returns {Finding}
 */
export const found = (change, ...trail) => ({ trail, change });

/**
 * @param {string} step
 * @param {Finding[]} findings
 * @returns {Finding[]}
 */
export const under = (step, findings) =>
  findings.map(({ trail, change }) => ({ trail: [step, ...trail], change }));

/**
 * Like `under`, for a step inside a schema: array steps stick to their owner (`jobs[]`).
 *
 * @param {string} step
 * @param {Finding[]} findings
 * @returns {Finding[]}
 */
export const inside = (step, findings) =>
  findings.map(({ trail, change }) => {
    const [next = '', ...rest] = trail;
    return { trail: arrayStep.test(next) ? [step + next, ...rest] : [step, ...trail], change };
  });
