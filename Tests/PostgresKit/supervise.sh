#!/bin/sh
# supervise.sh FOLDER: makes a PostgreSQL cluster there and runs it until the process is gone that
# started this, however that came about. Then nothing is left of it. Says 'ready' when databases can
# be made. With FSYNC=on what is committed is brought to the disk, for whoever measures.
set -eu
folder=$1
owner=$PPID
bin=$(pg_config --bindir 2>/dev/null || true)
[ -x "$bin/initdb" ] || bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -x "$bin/initdb" ] || bin=$(dirname "$(command -v initdb || true)")
if ! [ -x "$bin/initdb" ]; then
    echo 'the server of PostgreSQL is not installed: make setup' >&2
    exit 1
fi

# PostgreSQL does not run as root. These are words before a command, no function: what is signalled
# at the end has to be the server, not a shell that waits for it.
as_server=
mkdir -p "$folder"
if [ "$(id -u)" = 0 ]; then
    chown postgres "$folder"
    as_server='setpriv --reuid postgres --regid postgres --clear-groups'
fi
cd "$folder"
server=
trap '[ -z "$server" ] || kill -INT "$server" 2>/dev/null || true; wait; cd /
    rm -rf "$folder"' EXIT

$as_server "$bin/initdb" --pgdata="$folder/data" --username=waggle --auth=trust --encoding=UTF8 \
    --locale=C.UTF-8 --no-sync >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
# Tests end processes, not machines: what the system has taken is safe without.
$as_server "$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= \
    -c max_connections=1000 -c fsync="${FSYNC:-off}" -c shared_buffers=64MB \
    >>"$folder/log" 2>&1 </dev/null &
server=$!
until "$bin/pg_isready" --quiet --host="$folder" --username=waggle; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.05
done
echo ready
while kill -0 "$owner" 2>/dev/null; do sleep 0.5; done
