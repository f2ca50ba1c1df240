import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { cycles } from '../../kernel/cycle-picture.ts';
import { cellProtocol } from './protocol.ts';
import { request } from './request.ts';

const input = () => ({ spu: 3, id: 5, module: 9 });
const t = fc.integer({ min: 1, max: 3 });
// A module tells a request each thing once, in the order of its life (Cell specification 15.3).
const undecided = {
  new: ['request.granted', 'request.begin', 'request.byte'],
  pending: ['request.queued', 'request.begin', 'request.byte'],
  granted: ['request.queued', 'request.granted', 'request.byte'],
  running: ['request.queued', 'request.granted', 'request.begin'],
  finished: ['request.queued', 'request.granted', 'request.begin', 'request.byte'],
};

for (const { sentence, failures } of contractOf('request', {
  machine: request,
  speaks: cellProtocol.roles['Dma.Request'],
  input,
  values: { t, start: t },
  undecided,
})) {
  test(sentence, () => expect(failures()).toEqual([]));
}

test('a request runs from its start to its last byte, and notes each step (Cell specification 15.3)', () => {
  cycles(
    request,
    input(),
    `
    cycle            0  1  2  3   4  5
    request.queued   a  .  .  .   .  .   a = size 2
    request.granted  .  a  .  .   .  .   a = start 3, dir 1, ring 0
    request.begin    .  .  a  b   .  .   a = t 2; b = t 3
    request.byte     .  .  .  a   b  .   a = t 3; b = t 4
    state            p  g  .  r   f  .   p = pending, g = granted, r = running, f = finished
    request.noted    .  .  .  aa  a  .   a = to 9
    XSTART           .  .  .  a   .  .   a = t 3, spu 3, id 5, dir 1, ring 0
    XEND             .  .  .  .   a  .   a = t 4, spu 3, id 5
  `,
  );
});

test('an empty request is over when it is queued (Cell specification 11)', () => {
  cycles(
    request,
    input(),
    `
    cycle           0
    request.queued  a   a = size 0
    state           f   f = finished
    XSTART          .
    XEND            .
  `,
  );
});
