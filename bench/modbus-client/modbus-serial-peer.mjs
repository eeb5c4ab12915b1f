// Reads ten registers with modbus-serial: for each line of input so many times, then prints the
// rate. Usage: modbus-serial-peer.mjs <port> <requests>
import { createInterface } from 'node:readline';
import ModbusRtu from 'modbus-serial';

const [port, requests] = process.argv.slice(2).map(Number);
const client = new ModbusRtu();
await client.connectTCP('127.0.0.1', { port });
client.setID(1);
client.setTimeout(1000);
const read = async () => {
  for (let i = 0; i < requests; i++) {
    const { data } = await client.readHoldingRegisters(0, 10);
    if (data[9] !== 1009) throw new Error('a wrong value');
  }
};
for await (const _ of createInterface({ input: process.stdin })) {
  const start = performance.now();
  await read();
  console.log((1000 * requests) / (performance.now() - start));
}
process.exit();
