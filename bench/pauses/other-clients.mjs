// Background load: clients that connect, call and disconnect over the socket, HTTP and
// WebSocket, and a database that is loaded, read and unloaded. Ends with its parent. Usage:
// node other-clients.mjs <busbar> <host:port> <database file>
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';

const [busbar, listen, database] = process.argv.slice(2);
const run = promisify(execFile);
const cli = (...args) => run(process.execPath, [busbar, ...args], { maxBuffer: 1 << 26 });
const pause = (delayMs) => new Promise((done) => setTimeout(done, delayMs));
const ask = async (path) => {
  const response = await fetch(`http://${listen}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await response.arrayBuffer();
};

const readAStream = () =>
  new Promise((done) => {
    const url = `ws://${listen}/api/v1/messages/ws?channel=SIM00001/0`;
    const socket = new WebSocket(url, ['svc.frames.v2']);
    let frames = 0;
    socket.on('message', () => {
      frames += 1;
      if (frames === 500) socket.close();
    });
    socket.on('close', done);
  });

const visits = [
  () => cli('health'),
  () => ask('/api/v1/health'),
  () => ask('/api/v1/channels'),
  readAStream,
  () => cli('channel', 'open', 'SIM00001/2'),
  () => cli('message', 'send', 'SIM00001/2', '321#0102', '--count=20'),
  () => cli('channel', 'close', 'SIM00001/2'),
  () => ask('/api/v1/messages/history?channel=SIM00001/1'),
  () => ask('/metrics'),
  () => cli('tx-task', 'list'),
];

const comeAndGo = async () => {
  for (let visit = 0; ; visit = (visit + 1) % visits.length) {
    await visits[visit]();
    await pause(100);
  }
};

const loadAndUnload = async () => {
  for (;;) {
    await cli('database', 'load', database, '--name=vehicle');
    await ask('/api/v1/databases/vehicle');
    await pause(1000);
    await cli('database', 'unload', 'vehicle');
    await pause(1000);
  }
};

process.on('disconnect', () => process.exit());
const onFailure = (error) => {
  console.error(error);
  process.exit(1);
};
comeAndGo().catch(onFailure);
loadAndUnload().catch(onFailure);
