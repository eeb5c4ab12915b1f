// Frames per second from CAN to CAN with two signals and a linear mapping, between queues in
// memory: the gateway engine compared with python-can and with a plain Node loop, each in its
// best round. cantools is found through CANTOOLS_PYTHONPATH; without it the peer uses struct,
// which is faster. Usage: node bench/gateway-can/gateway-can.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource } from '../../scripts/load-source.mjs';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const frameCount = 20_000;
const pythonFrameCount = 1_000;
const turnCount = 3;
const leastOfPython = 20;
const leastOfNode = 3;

const run = (command, ...args) => {
  const { CANTOOLS_PYTHONPATH: path } = process.env;
  const env = { ...process.env, ...(path && { PYTHONPATH: path }) };
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8', env }));
};

// Flags of the bench thread.
const { engineFlags } = await loadSource('src/link/engine-flags.ts');

const folder = mkdtempSync(join(tmpdir(), 'busbar-gateway-can-'));
let isMet = true;
try {
  await bundlePrograms(here, ['engine-loop'], folder);
  const best = {};
  for (let turn = 0; turn < turnCount; turn++) {
    const results = {
      engine: run(process.execPath, ...engineFlags, join(folder, 'engine-loop.mjs'), frameCount),
      node: run(process.execPath, join(here, 'plain-loop.mjs'), frameCount),
      python: run('/usr/bin/python3', join(here, 'python_peer.py'), pythonFrameCount),
    };
    for (const [name, result] of Object.entries(results)) {
      if (!(best[name]?.perSecond > result.perSecond)) best[name] = result;
    }
  }
  const { engine, node, python } = best;
  if (engine.last !== node.last) throw new Error(`${engine.last} is not ${node.last}`);
  const show = (perSecond) => Math.round(perSecond).toLocaleString('en');
  console.log(`engine            ${show(engine.perSecond)} frames/s`);
  console.log(`plain Node loop   ${show(node.perSecond)} frames/s`);
  console.log(`python-can, ${python.peer.padEnd(8)} ${show(python.perSecond)} frames/s`);
  const ofPython = engine.perSecond / python.perSecond;
  const ofNode = engine.perSecond / node.perSecond;
  console.log(`${ofPython.toFixed(1)} times python-can (limit ${leastOfPython})`);
  console.log(`${ofNode.toFixed(1)} times the plain loop (limit ${leastOfNode})`);
  isMet = ofPython >= leastOfPython && ofNode >= leastOfNode;
} finally {
  rmSync(folder, { recursive: true });
}
if (!isMet) process.exitCode = 1;
