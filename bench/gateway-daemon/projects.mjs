// Gateway projects of any size.
const range = (count) => Array.from({ length: count }, (_, place) => place);

const project = (tables) => ({ format: 'gwproj', schema_version: 1, ...tables });

const unsigned = (id, bits) => ({
  ...{ id, kind: 'linear', raw: 'unsigned', bit_length: bits, byte_order: 'intel' },
});

export const firstSourceId = 0x100;

/** Forwards frames from one network to another immediately, with one 32-bit signal each. */
export const bridge = (count, from, to) => {
  const rows = range(count);
  const message = { fd: true, brs: true, length: 8 };
  return project({
    endpoints: [
      { id: 'from', kind: 'can', network: from },
      { id: 'to', kind: 'can', network: to },
    ],
    signals: rows.flatMap((row) => [
      { id: `in_${row}`, type: 'uint64', producer: 'input' },
      { id: `out_${row}`, type: 'uint64', producer: 'derived' },
    ]),
    codecs: [unsigned('u32', 32)],
    messages: rows.flatMap((row) => [
      {
        ...{ id: `in_${row}`, endpoint: 'from', direction: 'rx', can_id: firstSourceId + row },
        ...message,
        stale_after_ms: 1000,
      },
      {
        ...{ id: `out_${row}`, endpoint: 'to', direction: 'tx', can_id: 0x400 + row },
        ...message,
      },
    ]),
    bindings: rows.flatMap((row) => [
      {
        ...{ id: `in_${row}`, signal: `in_${row}`, direction: 'rx', message: `in_${row}` },
        ...{ codec: 'u32', start_bit: 32 },
      },
      {
        ...{ id: `out_${row}`, signal: `out_${row}`, direction: 'tx', message: `out_${row}` },
        ...{ codec: 'u32', start_bit: 32 },
      },
    ]),
    mappings: rows.map((row) => ({
      ...{ id: `map_${row}`, inputs: [`in_${row}`], outputs: [`out_${row}`] },
    })),
    tx_tasks: rows.map((row) => ({ id: `out_${row}`, message: `out_${row}`, policy: 'on_change' })),
  });
};

const signalsOfMessage = 8;

const sine = (row, place, sampleMs) => ({
  producer: 'waveform',
  waveform: {
    ...{ kind: 'sine', amplitude: 1000, offset: 2000, period_ms: 1000 + row },
    ...{ phase: place / signalsOfMessage, sample_ms: sampleMs },
  },
});

/**
 * Sends CAN FD messages of eight 16-bit signals, alternating between the networks. The signals
 * are sine waves, or `still` ones that no client sets.
 */
export const senders = ({ messages, periodMs, networks, firstId, still = false }) => {
  const rows = range(messages);
  const signals = rows.flatMap((row) => range(signalsOfMessage).map((place) => ({ row, place })));
  return project({
    endpoints: networks.map((network) => ({ id: network, kind: 'can', network })),
    signals: signals.map(({ row, place }) => ({
      id: `m${row}.s${place}`,
      type: 'float64',
      ...(still ? { producer: 'software', initial: '2000' } : sine(row, place, periodMs)),
    })),
    codecs: [{ ...unsigned('u16', 16), factor: 0.1 }],
    messages: rows.map((row) => ({
      ...{ id: `m${row}`, endpoint: networks[row % networks.length], direction: 'tx' },
      ...{ can_id: firstId + row, fd: true, brs: true, length: 2 * signalsOfMessage },
      period_ms: periodMs,
    })),
    bindings: signals.map(({ row, place }) => ({
      ...{ id: `m${row}.s${place}`, signal: `m${row}.s${place}`, direction: 'tx' },
      ...{ message: `m${row}`, codec: 'u16', start_bit: 16 * place },
    })),
    tx_tasks: rows.map((row) => ({ id: `m${row}`, message: `m${row}` })),
  });
};

const registersOfFrame = 32;

/** Serves one register per word of 64-byte CAN FD frames, frame after frame. */
export const mirror = ({ registers, network, firstId }) => {
  const frames = range(Math.ceil(registers / registersOfFrame));
  const rows = range(registers);
  return project({
    endpoints: [
      { id: 'bus', kind: 'can', network },
      { id: 'panel', kind: 'modbus', role: 'server', network: 'modbus', node: 1 },
    ],
    signals: rows.map((row) => ({ id: `s${row}`, type: 'uint64', producer: 'input' })),
    codecs: [unsigned('u16', 16)],
    messages: frames.map((frame) => ({
      ...{ id: `m${frame}`, endpoint: 'bus', direction: 'rx', can_id: firstId + frame },
      ...{ fd: true, brs: true, length: 2 * registersOfFrame, stale_after_ms: 1000 },
    })),
    modbus_resources: rows.map((row) => ({
      ...{ id: `r${row}`, endpoint: 'panel', table: 'holding', address: row, access: 'serve' },
    })),
    bindings: rows.flatMap((row) => [
      {
        ...{ id: `in${row}`, signal: `s${row}`, direction: 'rx', codec: 'u16' },
        message: `m${Math.floor(row / registersOfFrame)}`,
        start_bit: 16 * (row % registersOfFrame),
      },
      { id: `out${row}`, signal: `s${row}`, direction: 'tx', codec: 'u16', resource: `r${row}` },
    ]),
  });
};

/** Polls holding registers from address 0 of units from 1. */
export const pollers = ({ units, registers, periodMs }) => {
  const rows = range(units).flatMap((unit) => range(registers).map((row) => [unit + 1, row]));
  return project({
    endpoints: range(units).map((unit) => ({
      ...{ id: `u${unit + 1}`, kind: 'modbus', role: 'client', network: 'modbus', node: unit + 1 },
    })),
    signals: rows.map(([unit, row]) => ({
      ...{ id: `u${unit}.${row}`, type: 'uint64', producer: 'input' },
    })),
    codecs: [unsigned('u16', 16)],
    modbus_resources: rows.map(([unit, row]) => ({
      ...{ id: `u${unit}.${row}`, endpoint: `u${unit}`, table: 'holding', address: row },
      ...{ access: 'poll', poll_ms: periodMs },
    })),
    bindings: rows.map(([unit, row]) => ({
      ...{ id: `u${unit}.${row}`, signal: `u${unit}.${row}`, direction: 'rx', codec: 'u16' },
      resource: `u${unit}.${row}`,
    })),
  });
};
