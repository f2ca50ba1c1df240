import { main } from '../../main.ts';
import { KeptTerminal } from '../../terminal.ts';

/** What `check` tells scripts of a scenario file, and its exit code; nothing is recorded. */
export async function checked(file: string, ...options: readonly string[]) {
  const terminal = new KeptTerminal(false, 80);
  const exitCode = await main(['check', file, '--json', '--no-record', ...options], terminal);
  return { exitCode, ...JSON.parse(terminal.stdout) };
}
