import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';

/** What a command prints on standard output. Errors: where it ends with none of `exitCodes`. */
export async function commandOutput(
  args: readonly string[],
  exitCodes: readonly number[] = [0],
): Promise<string> {
  const terminal = new KeptTerminal(false, 100);
  const code = await main(args, terminal);
  if (!exitCodes.includes(code))
    throw new Error(`lockstep ${args.join(' ')} ended with ${code}:\n${terminal.stderr}`);
  return terminal.stdout;
}

/** The object that it prints. */
export const commandJson = async (args: readonly string[]): Promise<unknown> =>
  JSON.parse(await commandOutput(args));
