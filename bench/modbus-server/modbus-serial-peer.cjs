// A modbus-serial server. Prints its port; ends with its input.
const { createServer } = require('node:net');
const { ServerTCP } = require('modbus-serial');

const vector = { getHoldingRegister: (address) => address + 1 };
// It does not report a port it chose, so a free one is found first.
const probe = createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address();
  probe.close(() => {
    const server = new ServerTCP(vector, { host: '127.0.0.1', port, unitID: 1 });
    server.on('initialized', () => console.log(port));
  });
});
process.stdin.resume().on('end', () => process.exit());
