// Reads ten registers again and again with modbus-serial, and prints the rate of the best window.
// Usage: modbus-serial-peer.mjs <port> <requests of a window> <windows>
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { default: ModbusRtu } = await import('modbus-serial');
const { version } = require('modbus-serial/package.json');

const [port, requests, windows] = process.argv.slice(2).map(Number);
const client = new ModbusRtu();
await client.connectTCP('127.0.0.1', { port });
client.setID(1);
const read = async () => {
  for (let i = 0; i < requests; i++) {
    const { data } = await client.readHoldingRegisters(0, 10);
    if (data[9] !== 1009) throw new Error('a wrong value');
  }
};
let rate = 0;
for (let window = 0; window < windows; window++) {
  const start = performance.now();
  await read();
  rate = Math.max(rate, (1000 * requests) / (performance.now() - start));
}
console.log(JSON.stringify({ name: 'modbus-serial', version, rate }));
process.exit();
