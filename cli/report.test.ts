import { expect, test } from 'vitest';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';

/** What a person reads of a scenario of the Cell machine, with the time of the computer taken out. */
async function told(name: string): Promise<{ exitCode: number; text: string }> {
  const terminal = new KeptTerminal(false, 80);
  const exitCode = await main(['run', `scenarios/cell/${name}.yaml`, '--no-record'], terminal);
  const text = terminal.stderr
    // On a busy computer progress is told before the end.
    .replace(/^.* ticks\/s, .* deliveries\n/gm, '')
    .replace(/ in [\d.]+ s( \([\d,]+ a second\))?;/, ' in # s;');
  return { exitCode, text };
}

test('a party that never arrives: the controller waits, since when, for whom, and what is missing', async () => {
  const { exitCode, text } = await told('never-arrives');

  expect(text).toBe(`a party that never arrives (cell): deadlock
A DMA module that never reaches the barrier is a deadlock.
2 ticks, 46 deliveries in # s; engine compiled, schedule fifo

  cycles             2
  bytes moved        1 (0.50 per cycle)
  commands           1
  requests           1, not all finished
  total wait         0 cycles (mean 0.00, 95 % 0, 99 % 0, longest 0)
  running transfers  mean 0.50, peak 1
  ring occupation    33.3 %, 0.0 %
  detours            0.0 %
  memory hash        c1cc302c
  read hash          811c9dc5
  deliveries         46

deadlock in tick 1: nothing is under way, and 1 actor waits
  Cell.Controller (phaseD) waits since tick 1 for DMA modules that have not ended the cycle: Cell.Spu[0].Dma
no circle among them: what they wait for was never sent, or is held back, or was lost

properties miss, now that nothing moves any more:
  the barrier opens when each of the 2N+1 parties has reported once
    Cell.Controller: the run ends with 3 of 7 reports of cycle 1
  every accepted request of a run until idle finishes
    Cell.Spu[0].Dma: request 0 of SPU 0 has not finished
  CK-18 all entities run the same number of cycles
    Controller: cycle 1: the log ends without STOP

as scenarios/cell/never-arrives.yaml expects: verdict deadlock

schedule: the default one, first come, first served
explain it: the same command with --record FILE, then npx lockstep explain FILE
`);
  expect(exitCode).toBe(0);
});

test('a request nobody grants: module and controller wait, each for its own thing', async () => {
  const { exitCode, text } = await told('never-granted');

  expect(text).toBe(`a request nobody grants (cell): deadlock
A bus that never grants is a deadlock of everybody who needs it.
2 ticks, 36 deliveries in # s; engine compiled, schedule fifo

  cycles             2
  bytes moved        1 (0.50 per cycle)
  commands           0
  requests           1, not all finished
  total wait         0 cycles (mean 0.00, 95 % 0, 99 % 0, longest 0)
  running transfers  mean 0.50, peak 1
  ring occupation    33.3 %, 0.0 %
  detours            0.0 %
  memory hash        50ec3e05
  read hash          811c9dc5
  deliveries         36

deadlock in tick 1: nothing is under way, and 2 actors wait
  Cell.Controller (phaseD) waits since tick 1 for DMA modules that have not ended the cycle: Cell.Spu[0].Dma
  Cell.Spu[0].Dma (intake.ready, engine.acquiring) waits since tick 1 for the command bus: Cell.Bus
no circle among them: what they wait for was never sent, or is held back, or was lost

properties miss, now that nothing moves any more:
  the barrier opens when each of the 2N+1 parties has reported once
    Cell.Controller: the run ends with 3 of 7 reports of cycle 1
  every accepted request of a run until idle finishes
    Cell.Spu[0].Dma: request 0 of SPU 0 has not finished
  CK-18 all entities run the same number of cycles
    Controller: cycle 1: the log ends without STOP

as scenarios/cell/never-granted.yaml expects: verdict deadlock

schedule: the default one, first come, first served
explain it: the same command with --record FILE, then npx lockstep explain FILE
`);
  expect(exitCode).toBe(0);
});

test('a tick that never ends: its number, its budget, and the message that repeats', async () => {
  const { exitCode, text } = await told('endless-tick');

  expect(text).toBe(`a tick that never ends (cell): livelock
A part that talks to itself for ever within one tick is a livelock.
4 ticks, 1,001,089 deliveries in # s; engine compiled, schedule fifo

  cycles             5
  bytes moved        4 (0.80 per cycle)
  commands           4
  requests           1
  total wait         0 cycles (mean 0.00, 95 % 0, 99 % 0, longest 0)
  running transfers  mean 0.80, peak 1
  ring occupation    80.0 %, 0.0 %
  detours            0.0 %
  memory hash        02f150d9
  read hash          811c9dc5
  deliveries         1001089

livelock in tick 4: more than 1001000 deliveries in one tick
among its last deliveries these repeat:
  256 × Cell.Spu[0].Dma -> Cell.Spu[0].Dma  ring.freed

10 properties found nothing; 3 had nothing to judge in this run

as scenarios/cell/endless-tick.yaml expects: verdict livelock

schedule: the default one, first come, first served
explain it: the same command with --record FILE, then npx lockstep explain FILE
`);
  expect(exitCode).toBe(0);
});

test('a violation: the sentence, the tick, who did what, the schedule', async () => {
  const { exitCode, text } = await told('planted-fault');

  expect(text).toBe(`a planted fault (cell): violated
An arbiter that grants two transfers one node is caught in the cycle in which it does so.
9 ticks, 482 deliveries in # s; engine compiled, schedule fifo

  cycles             9
  bytes moved        24 (2.67 per cycle)
  commands           24
  requests           3
  total wait         0 cycles (mean 0.00, 95 % 0, 99 % 0, longest 0)
  running transfers  mean 2.67, peak 3
  ring occupation    155.6 %, 0.0 %
  detours            0.0 %
  memory hash        bed694ad
  read hash          811c9dc5
  deliveries         482

violated: ring segments never overlap
in tick 0, Cell.Arbiter: request 0 of SPU 1 was granted node 1 of ring 0 in direction 0, which request 0 of SPU 0 holds
what led to it:
  tick 0  Cell.Spu[0].Dma -> Cell.Arbiter  ring.request src=0 dst=2 id=0 size=8 initiator=0 …
  tick 0  Cell.Spu[1].Dma -> Cell.Arbiter  ring.request src=1 dst=2 id=0 size=8 initiator=1 …
  tick 0  Cell.Spu[2].Dma -> Cell.Arbiter  ring.request src=2 dst=3 id=0 size=8 initiator=2 …
  tick 0  Cell.Controller -> Cell.Arbiter  arbiter.phase
  tick 0  Cell.Arbiter.Spu[0].Request[0] -> Cell.Arbiter  segment.taken dir=0 ring=0
  tick 0  Cell.Arbiter -> Cell.Arbiter.Spu[1].Request[0]  segment.offered start=1 urgent=false plan=null …
  tick 0  Cell.Arbiter.Spu[1].Request[0] -> Cell.Arbiter  segment.taken dir=0 ring=0
  tick 0  Cell.Arbiter -> Cell.Arbiter.Spu[2].Request[0]  segment.offered start=1 urgent=false plan=null …
  tick 0  Cell.Arbiter.Spu[2].Request[0] -> Cell.Arbiter  segment.taken dir=0 ring=0
and 5 more:
  2 × ring segments never overlap (first in tick 0): request 0 of SPU 1 was granted node 2 of ring 0 in direction 0, which request 0 of SPU 0 holds
  2 × CK-10 no node of a ring belongs to two running transfers (first in tick 0): cycle 0: from cycle 1 on 1:0 shares a node of ring (0, 0) with 0:0, which holds it to the end of 8
  1 × every cycle brings what the plain loop of the specification brings (first in tick 0): cycle 0: expected GRANT spu 1 id 0 dir 1 ring 0; found GRANT spu 1 id 0 dir 0 ring 0; GRANT spu 2 id 0 dir 0 ring 0

schedule: the default one, first come, first served
explain it: the same command with --record FILE, then npx lockstep explain FILE
`);
  expect(exitCode).toBe(1);
});
