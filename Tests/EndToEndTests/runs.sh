#!/usr/bin/env bash
# Runs 'make run' for every definition, and with names that do not exist; 'make demo' calls it. The
# tool is built already, so each run has to start without a build.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly make=${MAKE:-make} configuration=${CONFIGURATION:-debug} start_timeout_seconds=60
work=$(mktemp -d)
server=''
clean_up() {
    # The process group: make, and the server in the place of its shell.
    [[ -z $server ]] || kill -KILL -- "-$server" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
    echo "runs: $1" >&2
    [[ ! -f $work/output ]] || sed 's/^/    /' "$work/output" >&2
    exit 1
}

# Not as a part of the make that calls this.
readonly run=(env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "$make" --no-print-directory
    CONFIGURATION="$configuration")

# Argument: the APP.
serve() {
    : >"$work/output"
    set -m
    "${run[@]}" run APP="$1" PORT=0 DATABASE="$work/$1.sqlite" >"$work/output" 2>&1 </dev/null &
    server=$!
    set +m
    local address='' deadline=$((SECONDS + start_timeout_seconds))
    while [[ -z $address ]]; do
        address=$(sed -n 's/^listening on //p' "$work/output")
        kill -0 "$server" 2>/dev/null || fail "'make run APP=$1' ended"
        ((SECONDS < deadline)) || fail "'make run APP=$1' does not listen"
        [[ -n $address ]] || sleep 0.1
    done
    grep -q 'nothing changed since' "$work/output" || fail "'make run APP=$1' built again"
    curl -fsS "$address/health" >"$work/health" || fail "'make run APP=$1' is not healthy"
    curl -fsS "$address/v1/test/session" -d '{"login": "a", "password": "usera",
        "deviceCategory": "mobile", "deviceIdentifier": "1"}' >"$work/session" ||
        fail "'a' cannot sign in with 'make run APP=$1'"
    # It ends the server, and waits for it.
    kill -TERM "$server"
    wait "$server" || true
    server=''
    grep -q '^stopped$' "$work/output" || fail "the server of APP=$1 did not stop"
    echo "make run APP=$1: serves, and stops"
}

# What is wrong, what the answer has to name, then the arguments.
refuse() {
    local code=0
    "${run[@]}" run "${@:3}" >"$work/output" 2>&1 </dev/null || code=$?
    ((code == 2)) && grep -q "$2" "$work/output" || fail "$1 ends with $code"
}

definitions=(Definitions/*/application.xml)
((${#definitions[@]} > 4)) || fail 'there are no definitions'
for definition in "${definitions[@]}"; do
    folder=${definition%/application.xml}
    serve "${folder##*/}"
done
refuse 'a mistyped APP' 'choose one of .*Conflicts.* Todo' APP=Conflict
refuse 'a mistyped DEFINITION' "there is no file 'application.xlm'" DEFINITION=application.xlm
# A database belongs to one application.
"${run[@]}" help DEFINITION=Definitions/Todo/application.xml >"$work/output"
grep -q ' DATABASE=.waggle/Todo.sqlite ' "$work/output" ||
    fail 'the database of another DEFINITION has the name of APP'
echo 'make run: mistyped names are answered'
