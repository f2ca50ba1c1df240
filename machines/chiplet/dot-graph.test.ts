import { describe, expect, test } from 'vitest';
import { readGraph } from './dot-graph.ts';

test('attributes hold for what follows, or for one edge', () => {
  const graph = readGraph(`graph g { // a comment
    edge[weight=0.9] node[pipeline_stage_delay=2]
    0--1--2; 2--0 [weight=7.9]
    node[pipeline_stage_delay=1] 3--0
  }`);

  expect(graph).toEqual({
    nodes: 4,
    edges: [
      { first: 0, second: 1, weight: 0.9 },
      { first: 1, second: 2, weight: 0.9 },
      { first: 2, second: 0, weight: 7.9 },
      { first: 3, second: 0, weight: 0.9 },
    ],
    stageDelays: [2, 2, 2, 1],
  });
});

describe('a faulty graph is refused with its line', () => {
  test.each([
    ['digraph g { 0--1 }', 1, '"digraph"'],
    ['graph g {\n 0--x\n}', 2, '"x"'],
    ['graph g {\n 0--1', 2, 'the end of the text'],
    ['graph g {\n 0--2\n}', 3, 'no node 1'],
    ['graph g {\n 0--0\n}', 2, 'an edge from 0 to itself'],
    ['graph g { 0--1 [weight=-1] }', 1, 'weight -1'],
    ['graph g {\n node[pipeline_stage_delay=0.5] 0--1 }', 2, 'pipeline_stage_delay 0.5'],
    ['graph g { }', 1, 'no node'],
  ])('%s', (text, line, found) => {
    expect(readGraph(text)).toMatchObject({ line, found });
  });
});
