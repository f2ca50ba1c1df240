#!/bin/sh
# The other side of worker.sh: host.sh X Y sends a message to the chiplet (X,Y) from (0,0) and waits for the answer.
x=$1 y=$2

ask() {
  echo "[INTERCMD] $1"
  read -r reply || exit 1
  reply=${reply##* }
}

ask "SEND 0 0 $x $y"
head -c 640 /dev/zero > "$reply"
ask "WRITE 1000 0 0 $x $y 640 0"
cycle=$((reply + 50))
ask "RECEIVE $x $y 0 0"
head -c 64 "$reply" | wc -c
ask "READ $cycle $x $y 0 0 64 0"
echo "[INTERCMD] CYCLE $((reply + 10))"
