import type { Graph, GraphEdge } from '../../actors/chiplet/network/topology/graph.ts';

/** What is wrong with a text, and where: lines count from 1. */
export interface TextFault {
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}

/** Cycles on a wire, and of a stage, where the text names none. */
const usual = { weight: 1, stage: 1 };

/** Nodes that a graph may have. */
const nodesMax = 4096;

interface Token {
  readonly text: string;
  readonly line: number;
}

/**
 * Reads `graph name { edge[weight=w] node[pipeline_stage_delay=s] 0--1--2 ... }` (chiplet specification 5.7, R = 4).
 *
 * Details: attributes may stand behind an edge, `edge[…]` and `node[…]` hold for what follows, `//` begins a comment, as in DOT. Stage delays are
 * whole cycles. Gives the first fault instead of a graph.
 */
export function readGraph(text: string): Graph | TextFault {
  const tokens = tokensOf(text);
  const reader = new GraphReader(tokens);
  try {
    return reader.graph();
  } catch (fault) {
    if (fault instanceof Refusal) return fault.fault;
    throw fault;
  }
}

class Refusal extends Error {
  constructor(readonly fault: TextFault) {
    super(fault.found);
  }
}

function tokensOf(text: string): readonly Token[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      [...content.replace(/\/\/.*/, '').matchAll(/--|[A-Za-z_][\w]*|-?[\d.][\w.+]*|"[^"]*"|\S/g)].map(
        ([token]) => ({ text: token, line: index + 1 }),
      ),
    );
}

class GraphReader {
  #at = 0;
  readonly #edges: GraphEdge[] = [];
  readonly #stages = new Map<number, number>();
  #weight = usual.weight;
  #stage = usual.stage;

  constructor(readonly tokens: readonly Token[]) {}

  graph(): Graph {
    this.#expect('graph');
    if (this.#peek() !== '{') this.#next();
    this.#expect('{');
    while (this.#peek() !== '}') this.#statement();
    this.#expect('}');
    const nodes = Math.max(-1, ...this.#stages.keys()) + 1;
    const missing = Array.from({ length: nodes }, (_, node) => node).find((node) => !this.#stages.has(node));
    if (nodes === 0) this.#refuse('no node', 'edges as 0--1');
    if (missing !== undefined) this.#refuse(`no node ${missing}`, `nodes 0 to ${nodes - 1}, all of them`);
    return {
      nodes,
      edges: this.#edges,
      stageDelays: Array.from({ length: nodes }, (_, node) => this.#stages.get(node)!),
    };
  }

  #statement(): void {
    const word = this.#next();
    if (word === ';' || word === ',') return;
    if (word === 'edge') {
      this.#weight = this.#attributes().get('weight') ?? this.#weight;
      return;
    }
    if (word === 'node') {
      this.#stage = this.#stageIn(this.#attributes()) ?? this.#stage;
      return;
    }
    const chain = [this.#node(word)];
    while (this.#peek() === '--') {
      this.#next();
      chain.push(this.#node(this.#next()));
    }
    const own = this.#peek() === '[' ? this.#attributes() : new Map<string, number>();
    if (chain.length === 1) {
      const stage = this.#stageIn(own);
      if (stage !== undefined) this.#stages.set(chain[0]!, stage);
    }
    const weight = own.get('weight') ?? this.#weight;
    if (weight < 0) this.#refuse(`weight ${weight}`, 'cycles, at least 0');
    for (let i = 1; i < chain.length; i++) {
      if (chain[i] === chain[i - 1]) this.#refuse(`an edge from ${chain[i]} to itself`, 'two nodes');
      this.#edges.push({ first: chain[i - 1]!, second: chain[i]!, weight });
    }
  }

  #stageIn(attributes: ReadonlyMap<string, number>): number | undefined {
    const stage = attributes.get('pipeline_stage_delay');
    if (stage !== undefined && !(Number.isInteger(stage) && stage >= 1))
      this.#refuse(`pipeline_stage_delay ${stage}`, 'whole cycles, at least 1');
    return stage;
  }

  #node(text: string): number {
    const node = Number(text);
    if (!/^\d+$/.test(text) || node >= nodesMax)
      this.#refuse(`"${text}"`, `the number of a node, below ${nodesMax}`);
    if (!this.#stages.has(node)) this.#stages.set(node, this.#stage);
    return node;
  }

  #attributes(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    this.#expect('[');
    while (this.#peek() !== ']') {
      const name = this.#next();
      if (name === ',' || name === ';') continue;
      this.#expect('=');
      const value = this.#next().replaceAll('"', '');
      found.set(name, Number(value));
      if (value === '' || !Number.isFinite(Number(value)))
        this.#refuse(`${name}=${value}`, `a number for ${name}`);
    }
    this.#expect(']');
    return found;
  }

  #peek(): string {
    const token = this.tokens[this.#at];
    if (token === undefined) this.#refuse('the end of the text', 'a closing brace', this.#at);
    return token.text;
  }

  #next(): string {
    const text = this.#peek();
    this.#at++;
    return text;
  }

  #expect(text: string): void {
    const found = this.#peek();
    if (found !== text) this.#refuse(`"${found}"`, `"${text}"`, this.#at);
    this.#at++;
  }

  /** Refuses the word that was read last, or the one at a place. */
  #refuse(found: string, expected: string, at = this.#at - 1): never {
    const token = this.tokens[Math.min(Math.max(at, 0), this.tokens.length - 1)];
    throw new Refusal({ line: token?.line ?? 1, found, expected });
  }
}
