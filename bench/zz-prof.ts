import { Run } from '../kernel/run.ts';
import { assembleBursts } from '../machines/cell/assembly.ts';
import { cellConfig, cellPrograms } from '../machines/cell/config.ts';
import { saturatingWorkload } from './cell-loop.ts';
const [N,K,n]=process.argv.slice(2).map(Number) as [number,number,number];
const w=saturatingWorkload(N,K,n);
const config=cellConfig.parse({N,K,memSize:w.memSize,policy:w.policy}); const programs=cellPrograms.parse({saturate:w.saturate});
for(let i=0;i<2;i++){
const a=assembleBursts({name:'x',config,programs,mutants:[],scheduled:false}); const run=new Run(a.wiring);
const t=process.cpuUsage().user; const o=run.toEnd(); const s=(process.cpuUsage().user-t)/1e6; console.log(o.ticks,o.deliveries,s.toFixed(2)+'s cpu',Math.round(o.ticks/s)+' cycles/s',Math.round(o.deliveries/s/1000)+' k/s');}
