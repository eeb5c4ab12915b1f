const zero = 0x30;
const minus = 0x2d;
const point = 0x2e;
const half = 1_000_000_000;

/** Digits from the right; 15 of the number, more only as zeros in front of it. */
const digits = new Uint8Array(48);

const putInteger = (to: Uint8Array, at: number, value: number): number => {
  let from = digits.length;
  let rest = value;
  do {
    const next = (rest / 10) | 0;
    digits[--from] = zero + (rest - next * 10);
    rest = next;
  } while (rest !== 0);
  let end = at;
  while (from < digits.length) to[end++] = digits[from++] as number;
  return end;
};

const putPlaced = (to: Uint8Array, at: number, magnitude: number, places: number): number => {
  let from = digits.length;
  let rest = magnitude >= half ? magnitude % half : magnitude;
  let high = magnitude >= half ? Math.floor(magnitude / half) : 0;
  for (let written = 0; written <= places || rest !== 0 || high !== 0; written++) {
    if (written === 9) {
      rest = high;
      high = 0;
    }
    const next = (rest / 10) | 0;
    digits[--from] = zero + (rest - next * 10);
    rest = next;
  }
  let last = digits.length;
  const firstPlace = last - places;
  while (last > firstPlace && digits[last - 1] === zero) last--;
  let end = at;
  while (from < firstPlace) to[end++] = digits[from++] as number;
  if (last > firstPlace) to[end++] = point;
  while (from < last) to[end++] = digits[from++] as number;
  return end;
};

/** Longest text of `putDecimal`: sign, point, and more zeros than a double has digits. */
export const maxDecimalBytes = 48;

/**
 * Writes `scaled` / 10^`places` as `LinearScale.textOf` does. `scaled` has up to 15 digits and
 * `places` is at most 22. Returns the end of the text.
 */
export const putDecimal = (to: Uint8Array, at: number, scaled: number, places: number): number => {
  let start = at;
  let magnitude = scaled;
  if (scaled < 0) {
    to[start++] = minus;
    magnitude = -scaled;
  }
  if (places === 0 && magnitude <= 0x7fff_ffff) return putInteger(to, start, magnitude);
  return putPlaced(to, start, magnitude, places);
};
