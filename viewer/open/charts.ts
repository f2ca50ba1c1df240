import type { AnyStateMachine } from 'xstate';
import { statechartPicture } from '../../cli/diagram/statechart-picture.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { assembled, type KnownMachine } from '../../machines/machine.ts';
import { givenOf } from '../../scenarios/given.ts';
import { parseScenario } from '../../scenarios/load.ts';

/** The statecharts of the actors of one scenario, laid out when they are asked for. */
export class Charts {
  readonly #pictures = new Map<string, Promise<string>>();
  readonly #machines: Promise<ReadonlyMap<string, AnyStateMachine>>;

  constructor(scenario: { readonly text: string; readonly file: string }, known: readonly KnownMachine[]) {
    this.#machines = machinesOf(scenario, known);
    // Whoever asks for a picture is told; a scenario that is wrong is told by the page.
    this.#machines.catch(() => {});
  }

  /** The chart of the state machine with this id as SVG; undefined when the scenario has none. */
  async of(id: string): Promise<string | undefined> {
    const machine = (await this.#machines).get(id);
    if (!machine) return undefined;
    let picture = this.#pictures.get(id);
    if (!picture) {
      picture = statechartPicture(machine, id);
      this.#pictures.set(id, picture);
    }
    return picture;
  }

  /** All of them by id. */
  async all(): Promise<Readonly<Record<string, string>>> {
    const ids = [...(await this.#machines).keys()];
    return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, (await this.of(id))!] as const)));
  }
}

async function machinesOf(
  { text, file }: { readonly text: string; readonly file: string },
  known: readonly KnownMachine[],
): Promise<ReadonlyMap<string, AnyStateMachine>> {
  const { scenario, machine } = await parseScenario(text, file, known);
  const wirings = [false, true].map((scheduled) => assembled(machine, givenOf(scenario, scheduled)).wiring);
  return new Map(wirings.flatMap(machinesIn).map((one) => [one.id, one]));
}

const machinesIn = ({ placements, families }: Wiring): readonly AnyStateMachine[] => [
  ...placements.flatMap((placed) => (placed ? [placed.machine] : [])),
  ...families.map(({ member }) => member(0).machine),
];
