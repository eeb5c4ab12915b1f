// Writes decoders in C: a struct per message, every signal assembled byte by byte, as
// generators for embedded systems do. They are in a separate file so that nothing is inlined.

const piecesOf = ({ startBit, length, byteOrder }) => {
  const pieces = [];
  let bit = startBit;
  let done = 0;
  while (done < length) {
    const byte = bit >> 3;
    const place = bit & 7;
    if (byteOrder === 'intel') {
      const bits = Math.min(8 - place, length - done);
      pieces.push({ byte, shift: place, bits, weight: done });
      bit += bits;
      done += bits;
    } else {
      const bits = Math.min(place + 1, length - done);
      pieces.push({ byte, shift: place + 1 - bits, bits, weight: length - done - bits });
      bit = (byte + 1) * 8 + 7;
      done += bits;
    }
  }
  return pieces;
};

const widthOf = ({ length }) => [8, 16, 32, 64].find((width) => length <= width);

const patternText = (signal) => {
  const type = `uint${Math.max(32, widthOf(signal))}_t`;
  return piecesOf(signal)
    .map(({ byte, shift, bits, weight }) => {
      const piece = `((${type})((src[${byte}] >> ${shift}) & ${2 ** bits - 1}u) << ${weight})`;
      return piece;
    })
    .join(' | ');
};

const rawText = (signal) => {
  const width = Math.max(32, widthOf(signal));
  const pattern = `(${patternText(signal)})`;
  if (!signal.isSigned) return pattern;
  const spare = width - signal.length;
  return `((int${width}_t)(${pattern} << ${spare}) >> ${spare})`;
};

const typeOf = (signal) => `${signal.isSigned ? '' : 'u'}int${widthOf(signal)}_t`;

const bodyOf = ({ signals }, store) => {
  const plain = signals.filter(({ mux }) => mux === null).map(store);
  const pages = new Map();
  for (const one of signals.filter(({ mux }) => mux !== null)) {
    pages.set(one.mux.value, [...(pages.get(one.mux.value) ?? []), store(one)]);
  }
  if (pages.size === 0) return plain.join('\n');
  const switchSignal = signals.find(({ isSwitch }) => isSwitch);
  const cases = [...pages].map(([value, lines]) => `case ${value}:\n${lines.join('\n')}\nbreak;`);
  return `${plain.join('\n')}\nswitch (${patternText(switchSignal)}) {\n${cases.join('\n')}\ndefault: break;\n}`;
};

const decodersOf = (layout) => {
  const { name, length, signals } = layout;
  const number = new Map(signals.map((one, at) => [one, at]));
  const raw = bodyOf(layout, (one) => `out->${one.name} = (${typeOf(one)})${rawText(one)};`);
  const physical = bodyOf(
    layout,
    (one) => `out[${number.get(one)}] = (double)${rawText(one)} * ${one.factor} + ${one.offset};`,
  );
  const check = `if (size < ${length}u) return -1;`;
  return `struct ${name} {
${signals.map((one) => `${typeOf(one)} ${one.name};`).join('\n')}
};
int ${name}_raw(void *to, const uint8_t *src, size_t size) {
struct ${name} *out = to;
${check}
${raw}
return 0;
}
int ${name}_physical(void *to, const uint8_t *src, size_t size) {
double *out = to;
${check}
${physical}
return 0;
}`;
};

export const decodersSource = (layouts) =>
  `#include <stddef.h>\n#include <stdint.h>\n${layouts.map(decodersOf).join('\n')}\n`;

/** The timing program: reads the payloads, prints nanoseconds per frame as JSON. */
export const programSource = (layouts, frameCount, rounds, roundNs) => `
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
typedef int decoder(void *, const uint8_t *, size_t);
${layouts.map(({ name }) => `decoder ${name}_raw, ${name}_physical;`).join('\n')}
static uint8_t payloads[${frameCount} * 64];
static double room[1024];
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}
static double best(decoder *decode, size_t length) {
  double least = 1e30;
  for (int round = 0; round < ${rounds}; round++) {
    double start = now(), spent;
    long frames = 0;
    do {
      for (int at = 0; at < ${frameCount}; at++) decode(room, payloads + at * length, length);
      frames += ${frameCount};
      spent = now() - start;
    } while (spent < ${roundNs});
    if (spent / frames < least) least = spent / frames;
  }
  return least;
}
int main(int count, char **files) {
  if (count <= ${layouts.length}) return 2;
  FILE *file;
  printf("{");
${layouts
  .map(
    ({ name, length }, at) => `  file = fopen(files[${at + 1}], "rb");
  if (!file || fread(payloads, ${length}, ${frameCount}, file) != ${frameCount}) return 2;
  fclose(file);
  printf("\\"${name}\\":{\\"raw\\":%f,", best(${name}_raw, ${length}));
  printf("\\"physical\\":%f}${at === layouts.length - 1 ? '' : ','}", best(${name}_physical, ${length}));`,
  )
  .join('\n')}
  printf("}\\n");
}
`;
