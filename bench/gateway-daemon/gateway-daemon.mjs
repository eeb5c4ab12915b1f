// Gateway instances in a real daemon on the virtual bench: latency from one segment to the
// other, lateness of periodic messages, effect of starts on others, cost of signal readers,
// read speed of mirrored registers, and punctual polling of many units. Usage: node
// bench/gateway-daemon/gateway-daemon.mjs [--seconds=8] [--ordinary] [name…]
import { parseArgs } from 'node:util';
import { measureMirror } from './mirror.mjs';
import { measurePeriodicLoad } from './periodic-load.mjs';
import { measurePolls } from './polls.mjs';
import { GatewayRig } from './rig.mjs';
import { measureSignalPages } from './signal-pages.mjs';
import { measureSourceAge } from './source-age.mjs';
import { measureStarts } from './starts.mjs';

const measurements = {
  'source-age-10k': measureSourceAge(10_000),
  'source-age-20k': measureSourceAge(20_000),
  'periodic-load': measurePeriodicLoad,
  starts: measureStarts,
  'signal-pages': measureSignalPages,
  mirror: measureMirror,
  polls: measurePolls,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    /** No real-time scheduling: other work on the machine is measured as well. */
    ordinary: { type: 'boolean', default: false },
  },
});

const judge = (name, value, limit, unit) => {
  const isMet = value <= limit;
  if (!isMet) process.exitCode = 1;
  const shown = value.toFixed({ 'of a core': 3, times: 2 }[unit] ?? 0);
  console.log(`  ${name}: ${shown} ${unit}, limit ${limit}${isMet ? '' : ', beyond it'}`);
};

const wanted = positionals.length > 0 ? positionals : Object.keys(measurements);
for (const name of wanted) {
  const rig = new GatewayRig();
  await rig.start({ realtime: !values.ordinary });
  try {
    await measurements[name](rig, Number(values.seconds), judge);
  } finally {
    await rig.stop();
  }
}
