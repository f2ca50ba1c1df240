#!/usr/bin/env bash
# A PostgreSQL of its own for tests, run by a user without rights on a free port.
#   postgres.sh start        makes one in a temporary folder, and prints the folder and the address
#   postgres.sh restart DIR  stops it at once, as a crash does, and starts it again
#   postgres.sh stop DIR     stops it and deletes the folder
set -euo pipefail
# A distribution has each version in a folder.
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
programs=${programs:-$(dirname "$(command -v pg_ctl)")}
# PostgreSQL refuses to run as root.
as_user() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid nobody --regid nogroup --clear-groups "$@"; else "$@"; fi
}
run() { (cd / && as_user "$programs/$@"); }

case "$1" in
start)
  folder=$(mktemp -d)
  [ "$(id -u)" != 0 ] || chown nobody "$folder"
  run initdb -D "$folder/data" -U lockstep -A trust --no-sync >/dev/null
  port=$(node -e "const server = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(server.address().port); server.close(); })")
  printf "port = %s\nunix_socket_directories = '%s'\nlisten_addresses = '127.0.0.1'\nfsync = off\n" "$port" "$folder" >>"$folder/data/postgresql.conf"
  run pg_ctl -D "$folder/data" -w -l "$folder/log" start >/dev/null
  echo "$folder postgres://lockstep@127.0.0.1:$port/postgres"
  ;;
restart) run pg_ctl -D "$2/data" -w -m immediate -l "$2/log" restart >/dev/null ;;
stop)
  run pg_ctl -D "$2/data" -w -m immediate stop >/dev/null
  rm -rf "$2"
  ;;
*)
  sed -n '2,5p' "$0" >&2
  exit 2
  ;;
esac
