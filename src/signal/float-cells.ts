/** Memory that generated functions view both as words and as floats. */
export const floatCells = {
  names: ['single', 'word', 'double', 'halves'],
  create: (): readonly ArrayBufferView[] => {
    const single = new Float32Array(1);
    const double = new Float64Array(1);
    return [single, new Uint32Array(single.buffer), double, new Uint32Array(double.buffer)];
  },
} as const;
