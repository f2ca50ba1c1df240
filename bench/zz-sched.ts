import { RandomChoices } from '../kernel/choices.ts';
import { Run } from '../kernel/run.ts';
import { givenFrom } from '../properties/chiplet/system/trial.ts';
import { systemMachine as chipletMachine } from '../machines/chiplet/system.ts';
const n = Number(process.argv[2] ?? 150);
const modes = (process.argv[3] ?? 'core,warp').split(',');
const times: Record<string, number> = {}; const msgs: Record<string, number> = {};
const given = await givenFrom('system-schedules.yaml', {});
for (let round = 0; round < 6; round++) for (const detail of modes) {
  const t = process.cpuUsage();
  let d = 0;
  for (let s = 0; s < n; s++) {
    const g = { ...given, scheduled: true, config: { ...given.config, coreDetail: detail } } as never;
    const run = new Run(chipletMachine.assemble(g).wiring, { choices: new RandomChoices(s) });
    d += run.toEnd().deliveries;
  }
  const u = process.cpuUsage(t);
  if (round > 1) { times[detail] = Math.min(times[detail] ?? 1e9, (u.user + u.system) / 1000); msgs[detail] = d; }
}
console.log(times, msgs, 'warp/core speed', (times.core / times.warp).toFixed(3));
