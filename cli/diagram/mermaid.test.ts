import { expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { commandBus } from '../../actors/cell/command-bus.ts';
import { allActors } from '../actor-files.ts';
import { mermaidStatechart } from './mermaid.ts';

test('a flat machine shows events, guards and actions', () => {
  expect(mermaidStatechart(commandBus, 'cell/command-bus')).toBe(`---
title: cell/command-bus
---
stateDiagram-v2
  direction TB
  state "bus" as bus {
    [*] --> free
    free : free
    held : held
    held : bus.acquire [isDeclined] / complain
    held : bus.release / complain
    contended : contended
    contended : bus.acquire [isDeclined] / complain
    contended : bus.acquire / queue
    contended : bus.release [isHolder] / countRelease, showRelease, acknowledge, passOn, stamp, grant
    contended : bus.release / complain
    free --> held : bus.acquire / hold, stamp, grant
    held --> contended : bus.acquire / queue
    held --> free : bus.release [isHolder] / countRelease, showRelease, acknowledge, letGo
    contended --> held : bus.release [passesToLast] / countRelease, showRelease, acknowledge, passOn, stamp, grant
  }
  note right of bus
    bus.command [isHolder] / count, showCommand
    bus.command / complain
    bus.release / complain
  end note
`);
});

test('what the whole machine does in any of its states says where it leads', () => {
  const machine = createMachine({
    id: 'part',
    initial: 'a',
    on: { stop: { target: '.b', actions: 'clear' } },
    states: { a: { on: { go: 'b' } }, b: {} },
  });

  expect(mermaidStatechart(machine, 'part')).toContain('note right of part\n    stop / clear → b\n');
});

test('regions, nested states, always-transitions, entry actions, refusals and waiting states are drawn', () => {
  const machine = createMachine({
    id: 'part',
    type: 'parallel',
    states: {
      left: {
        initial: 'a',
        on: { 'all.stop': { actions: 'stop' } },
        states: {
          a: { entry: 'greet', on: { go: { guard: 'may', target: 'b' }, 'x:y': {} } },
          b: {
            initial: 'in',
            states: {
              in: { tags: ['waiting'], on: { out: '#part.left.a', end: 'over' } },
              over: { type: 'final' },
            },
          },
        },
      },
      right: { initial: 'c', states: { c: { always: { guard: 'ready', target: 'd' } }, d: { exit: 'bye' } } },
    },
  });

  expect(mermaidStatechart(machine, 'part')).toBe(`---
title: part
---
stateDiagram-v2
  direction TB
  state "part" as part {
    state "left" as left {
      [*] --> left_a
      left_a : a
      left_a : entry / greet
      left_a : refuses x#58;y
      state "b" as left_b {
        [*] --> left_b_in
        left_b_in : in
        left_b_over : over
        left_b_in --> left_b_over : end
        left_b_over --> [*]
      }
      left_a --> left_b : go [may]
      left_b_in --> left_a : out
    }
    note right of left
      all.stop / stop
    end note
    --
    state "right" as right {
      [*] --> right_c
      right_c : c
      right_d : d
      right_d : exit / bye
      right_c --> right_d : [ready]
    }
  }
  classDef waiting stroke-dasharray: 4 3
  class left_b_in waiting
`);
});

test('every actor of every family is found and drawn, each arrow between states that are declared', async () => {
  const actors = await allActors();

  expect(actors.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cell/dma-module', 'cell/eib/mfc', 'common/barrier']),
  );
  for (const { name, machine } of actors) {
    const text = mermaidStatechart(machine, name);
    const declared = new Set(
      [...text.matchAll(/^ *(?:state ".*" as )?(\w+)(?: :| \{)/gm)].map(([, id]) => id),
    );
    for (const [, from, to] of text.matchAll(/^ *(\S+) --> (\S+)/gm))
      for (const id of [from, to]) expect(id === '[*]' || declared.has(id), `${name}: ${id}`).toBe(true);
  }
});
