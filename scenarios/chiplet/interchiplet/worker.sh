#!/bin/sh
# A chiplet's process in plain shell: worker.sh [tag] X Y takes a message from (0,0), computes, and sends one back. What it asks of the coordinator goes to
# standard output behind [INTERCMD]; the answer is the next line of standard input; data go through the named pipe that RESULT names.
[ $# -eq 3 ] && shift
x=$1 y=$2

ask() { # says a command; $reply is the last word of the answer: a pipe, or a cycle
  echo "[INTERCMD] $1"
  read -r reply || exit 1
  reply=${reply##* }
}

ask "RECEIVE 0 0 $x $y"
head -c 640 "$reply" | wc -c
ask "READ 500 0 0 $x $y 640 0"
cycle=$((reply + 300))
ask "SEND $x $y 0 0"
head -c 64 /dev/zero > "$reply"
ask "WRITE $cycle $x $y 0 0 64 0"
echo "[INTERCMD] CYCLE $reply"
