/** @typedef {Record<string, unknown>} JsonObject */

/**
 * @param {unknown} value
 * @returns {value is JsonObject}
 */
export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {unknown} value
 * @returns {JsonObject}
 */
export const objectOf = (value) => (isObject(value) ? value : {});

/**
 * @param {unknown} value
 * @returns {unknown[]}
 */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/**
 * A map rather than the object itself, so that a member named `constructor` is only found when
 * the document declares it.
 *
 * @param {unknown} value
 * @returns {Map<string, unknown>}
 */
export const mapOf = (value) => new Map(Object.entries(objectOf(value)));

/**
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 */
export function sameJson(left, right) {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => sameJson(item, right[at]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  );
}

/**
 * @param {readonly unknown[]} list
 * @param {unknown} value
 */
export const includesJson = (list, value) => list.some((item) => sameJson(item, value));

/** @param {unknown} value */
export const show = (value) => JSON.stringify(value);

/** @param {readonly unknown[]} values */
export const showList = (values) => values.map(show).join(', ');
