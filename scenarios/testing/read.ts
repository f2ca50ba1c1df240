import type { Machine } from '../../machines/machine.ts';
import { ScenarioErrors } from '../errors.ts';
import { parseScenario } from '../load.ts';
import { ping } from './ping.ts';

/** The file that the texts of the tests are taken to stand in: programs are looked for beside it. */
export const here = new URL('./scenario.yaml', import.meta.url).pathname;

/** The scenario of a text for the toy machine. */
export async function read(text: string, machines: readonly Machine[] = [ping as Machine]) {
  return parseScenario(text, here, machines);
}

/** What a text is refused for: `line:column code what | help` for each mistake; empty when it is not. */
export async function refusals(text: string, machines?: readonly Machine[]): Promise<readonly string[]> {
  try {
    await read(text, machines);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioErrors)) throw error;
    return error.errors.map(
      ({ at, code, what, help }) => `${at.line}:${at.column} ${code} ${what} | ${help}`,
    );
  }
}
