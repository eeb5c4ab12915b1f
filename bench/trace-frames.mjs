// Frames and processor time of the benchmarks of trace formats.

/**
 * Four classic frames of counters and noise, then one FD frame, as on two busy channels, from
 * `first` up to `count`.
 */
export const fill = (batch, first, count) => {
  batch.clear();
  for (let row = 0; row < batch.capacity && first + row < count; row++) {
    const at = first + row;
    const isFd = at % 5 === 4;
    const length = isFd ? 64 : 8;
    batch.timeNs[row] = at * 100_000;
    batch.id[row] = 0x100 + (at % 200);
    batch.flags[row] = isFd ? 12 : 0;
    batch.channel[row] = 1 + (at % 2);
    batch.kind[row] = at % 3 === 0 ? 2 : 1;
    batch.bus[row] = isFd ? 2 : 1;
    batch.dlc[row] = isFd ? 15 : 8;
    batch.length[row] = length;
    for (let i = 0; i < length; i++) batch.payload[64 * row + i] = (at * 7 + i * 13) >> (i & 3);
    batch.count++;
  }
};

export const secondsSince = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
};
