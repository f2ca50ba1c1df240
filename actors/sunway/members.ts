/** Takes the first member of a family that is not in use; `used` has those that are, ascending. */
export function takeMember(used: number[]): number {
  let member = 0;
  while (used[member] === member) member++;
  used.splice(member, 0, member);
  return member;
}
