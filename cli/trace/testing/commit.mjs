// Two-phase commit: `commit.mjs coordinator LOG FAULT COUNT` says its port on standard output, `commit.mjs manager LOG FAULT NUMBER PORT VOTE` votes and does as it is told.
import { appendFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [role, log, fault, number, port, vote] = process.argv.slice(2);
const decided = (decision) =>
  appendFileSync(
    log,
    `${JSON.stringify({ at: `ResourceManager[${number}]`, event: 'transaction.decided', decision })}\n`,
  );

function coordinate() {
  const votes = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      votes.push({ socket, vote: line });
      if (votes.length < Number(number)) return;
      const all =
        fault === 'hasty' ? 'committed' : votes.every((one) => one.vote === 'yes') ? 'committed' : 'aborted';
      for (const one of votes) one.socket.end(`${all}\n`);
      server.close();
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

function manage() {
  const socket = connect(Number(port), '127.0.0.1');
  if (vote === 'no') decided('aborted');
  socket.write(`${vote}\n`);
  createInterface({ input: socket }).on('line', (decision) => {
    if (vote === 'no') return;
    decided(fault === 'disobedient' ? 'aborted' : decision);
    if (fault === 'decides-twice') decided(decision);
  });
}

if (role === 'coordinator') coordinate();
else manage();
