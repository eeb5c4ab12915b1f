// A jsmodbus server. Prints its port; ends with its input.
const { createServer } = require('node:net');
const { server } = require('jsmodbus');

const values = Number(process.argv[2]);
const holding = Buffer.alloc(2 * values);
for (let i = 0; i < values; i++) holding.writeUInt16BE(i + 1, 2 * i);
const listener = createServer({ noDelay: true });
new server.TCP(listener, { holding });
// A client that disconnects early must not end later rounds.
listener.on('connection', (socket) => socket.on('error', () => socket.destroy()));
listener.listen(0, '127.0.0.1', () => console.log(listener.address().port));
process.stdin.resume().on('end', () => process.exit());
