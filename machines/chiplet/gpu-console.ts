/** What the console lines of a GPU simulator tell (chiplet specification 6). */
export interface SimulationTime {
  /** Seconds that the simulation took, not those that it simulated. */
  readonly seconds: number;
  readonly instructions: number;
  readonly cycles: number;
}

/** The three lines from which users calculate cycles as seconds times rate; seconds and rates are whole, at least 1 second. */
export function consoleLines({ seconds, instructions, cycles }: SimulationTime): string {
  const total = Math.max(1, Math.floor(seconds));
  const [days, hours, minutes] = [
    Math.floor(total / 86400),
    Math.floor(total / 3600) % 24,
    Math.floor(total / 60) % 60,
  ];
  return [
    `gpgpu_simulation_time = ${days} days, ${hours} hrs, ${minutes} min, ${total % 60} sec (${total} sec)`,
    `gpgpu_simulation_rate = ${Math.floor(instructions / total)} (inst/sec)`,
    `gpgpu_simulation_rate = ${Math.floor(cycles / total)} (cycle/sec)`,
    '',
  ].join('\n');
}
