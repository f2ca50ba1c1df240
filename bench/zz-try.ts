import fs from 'node:fs';
import { loadScenario } from '../scenarios/load.ts';
import { simulate } from '../scenarios/simulate.ts';
import { machines } from '../machines/machines.ts';
import { judge } from '../scenarios/judge.ts';
const dir='scenarios/cell/';
for(const f of fs.readdirSync(dir).filter(f=>f.endsWith('.yaml'))){
 try{ const {scenario:s,machine:m}=await loadScenario(dir+f,machines);
  const t=Date.now(); const r=simulate(s,m,{}); const {transfers,perSpu,...x}=r.result as any;
  console.log(f,r.outcome.verdict,Date.now()-t+'ms',JSON.stringify(s.expect?judge(s.expect,r):''), JSON.stringify(x).slice(0,520), transfers.length<6?JSON.stringify(transfers):'', JSON.stringify(r.outcome.deadlock??r.outcome.livelock??''), r.outcome.failure?.message??'');
 }catch(e){console.log(f,String((e as any).message??e).slice(0,600))}
}
