#!/usr/bin/env bash
# Runs 'make run' for every definition, with names that do not exist, with another PATH and in a
# folder with a space in its name, and 'make app'; 'make demo' calls it. The tool is built already,
# so each run has to start without a build.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The goal promises 5 s, on a machine that does nothing else.
readonly make=${MAKE:-make} configuration=${CONFIGURATION:-debug} start_timeout_seconds=60
work=$(mktemp -d)
server=''
clean_up() {
    # The process group: make, and the server in the place of its shell.
    [[ -z $server ]] || kill -KILL -- "-$server" 2>/dev/null || true
    [[ -z $server ]] || wait "$server" 2>/dev/null || true
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
run=(env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "$make" --no-print-directory
    CONFIGURATION="$configuration")

# The name of the check, then the arguments.
serve() {
    local name="make run $1" start=$SECONDS
    : >"$work/output"
    set -m
    "${run[@]}" run PORT=0 "${@:2}" >"$work/output" 2>&1 </dev/null &
    server=$!
    set +m
    local address='' deadline=$((SECONDS + start_timeout_seconds)) seconds
    while [[ -z $address ]]; do
        address=$(sed -n 's/^listening on //p' "$work/output")
        kill -0 "$server" 2>/dev/null || fail "'$name' ended"
        ((SECONDS < deadline)) || fail "'$name' does not listen"
        [[ -n $address ]] || sleep 0.1
    done
    seconds=$((SECONDS - start))
    grep -q 'nothing changed since' "$work/output" || fail "'$name' built again"
    curl -fsS "$address/health" >"$work/health" || fail "'$name' is not healthy"
    curl -fsS "$address/v1/test/session" -d '{"login": "a", "password": "usera",
        "deviceCategory": "mobile", "deviceIdentifier": "1"}' >"$work/session" ||
        fail "'a' cannot sign in with '$name'"
    grep -q "^console $address/console/setup#." "$work/output" ||
        fail "'$name' prints no address of the console with a token"
    # It ends the server, and waits for it.
    kill -TERM "$server"
    wait "$server" || true
    server=''
    grep -q '^stopped$' "$work/output" || fail "the server of '$name' did not stop"
    echo "$name: serves within $((seconds + 1)) s, and stops"
}

# Arguments: the mistake, the text that the answer has to name, the goal and its arguments.
refuse() {
    local code=0
    "${run[@]}" "${@:3}" >"$work/output" 2>&1 </dev/null || code=$?
    ((code == 2)) && grep -q "$2" "$work/output" || fail "$1 ends with $code"
}

definitions=(Definitions/*/application.xml)
((${#definitions[@]} > 4)) || fail 'there are no definitions'
for definition in "${definitions[@]}"; do
    folder=${definition%/application.xml}
    app=${folder##*/}
    serve "APP=$app" APP="$app" DATABASE="$work/$app.sqlite"
done
refuse 'a mistyped APP' 'choose one of .*Conflicts.* Todo' run APP=Conflict
refuse 'a mistyped DEFINITION' "there is no file 'application.xlm'" run DEFINITION=application.xlm
grep -q '^ *Definitions/Todo/application.xml$' "$work/output" ||
    fail 'the definitions that there are are not named'
refuse 'a mistyped APP of an app' 'choose one of .*Conflicts.* Todo' app APP=Conflict
# A database belongs to one application.
"${run[@]}" help DEFINITION=Definitions/Todo/application.xml >"$work/output"
grep -q ' DATABASE=.waggle/Todo.sqlite ' "$work/output" ||
    fail 'the database of another DEFINITION has the name of APP'
echo 'make run: mistyped names are answered'

path=$PATH
PATH=$PATH:/nowhere
serve 'with another PATH' APP=Todo DATABASE="$work/path.sqlite"
PATH=$path

# The files that decide whether something is built, as they are, in a folder of another name.
spaced="$work/with a space"
mkdir -p "$spaced/Definitions/Our app"
cp -Rp Makefile Package.swift Sources Templates "$spaced"
[[ ! -f Package.resolved ]] || cp -p Package.resolved "$spaced"
ln -s "$PWD/.build" "$spaced/.build"
cp Definitions/Todo/application.xml "$spaced/Definitions/Our app"
here=("${run[@]}")
run+=(-C "$spaced")
serve 'in a folder with a space' DEFINITION='Definitions/Our app/application.xml'
[[ -f "$spaced/.waggle/Our app.sqlite" ]] || fail 'the database is not called like the folder'
run=("${here[@]}")
# It takes minutes to build what apps are made from, which 'make test' has done.
[[ -x .build/$configuration/TodoApp ]] || {
    echo "make app: not tried, since 'make test' was not run before"
    exit 0
}
# Nobody serves there, so the app ends.
app() { "${run[@]}" app APP=Todo LOGIN=runs PORT=1 >"$work/output" 2>&1 </dev/null || true; }
app
app
rm -rf .waggle/Todo-runs
grep -q 'the server cannot be reached' "$work/output" || fail "'make app' does not start the app"
! grep -q 'building' "$work/output" || fail "a second 'make app' builds again"
echo 'make app: starts without a build the second time'
