// A register that one process keeps, and its clients: `register.mjs server LOG FAULT` says its port on standard output, `register.mjs client LOG FAULT NUMBER PORT` writes, then reads, and ends.
import { appendFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [role, log, fault, number = '0', port = '0'] = process.argv.slice(2);
const at = `Client[${number}]`;
/** What happened is in the log before anybody hears of it; lines of one call stand together. */
const note = (...events) =>
  appendFileSync(log, events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join(''));

function serve() {
  let value = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      const request = JSON.parse(line);
      if (request.put !== undefined && fault !== 'lost-put') value = request.put;
      const read = fault === 'other-value' ? 'Z' : value;
      socket.write(`${JSON.stringify(request.put === undefined ? { value: read } : {})}\n`);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

function use() {
  const own = String.fromCharCode(65 + Number(number));
  const socket = connect(Number(port), '127.0.0.1');
  const write = { event: 'operation.invoked', operation: ['write', own] };
  const read = { event: 'operation.invoked', operation: ['read'] };
  const written = { event: 'operation.returned', result: null };
  if (fault === 'reads-early') note(write, read, written);
  else note(write);
  socket.write(`${JSON.stringify({ put: own })}\n`);
  let answers = 0;
  createInterface({ input: socket }).on('line', (line) => {
    if (answers++ === 0) {
      if (fault === 'answers-twice') note(written, written);
      else if (fault !== 'reads-early') note(written, read);
      socket.write('{}\n');
      return;
    }
    note({ event: 'operation.returned', result: JSON.parse(line).value });
    socket.end();
  });
}

if (role === 'server') serve();
else use();
